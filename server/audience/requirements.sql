-- Who may work on a task (docs/specification/audience.md). Asked whenever a worker takes a slot or an item, and never of work that
-- is reserved or submitted.

-- Stores what a new task requires of its workers (Audience in contract/audience.ts), and a link if it is private.
create or replace function add_requirements(p_task uuid, p_buyer uuid, p_audience jsonb) returns void language plpgsql as $$
declare
  wanted uuid[] := array(select value::uuid from jsonb_array_elements_text(p_audience->'qualifications') as value);
begin
  -- Locked, so that a concurrent deletion waits.
  perform from qualifications where id = any (wanted) and buyer_id = p_buyer for key share;
  if (select count(*) from qualifications where id = any (wanted) and buyer_id = p_buyer) < cardinality(wanted) then
    perform refuse('not_found.qualification');
  end if;
  insert into task_requirements (task_id, qualifications, approval_percent_min, approved_min, language)
  values (p_task, wanted, (p_audience->>'approvalPercentMin')::int, (p_audience->>'approvedMin')::int, p_audience->>'language');
  if p_audience->>'visibility' = 'link' then
    perform create_task_link(p_task);
  end if;
end $$;

-- Returns whether a buyer has a favourite who is still a Worker, and neither blocked nor deleted.
create or replace function has_favourites(p_buyer uuid) returns boolean language sql stable as $$
  select exists (select from favourite_workers as favourite join users on users.id = favourite.worker_id
                  where favourite.buyer_id = p_buyer and users.deleted_at is null and users.role = 'Worker'
                    and not exists (select from worker_blocks as block
                                     where block.buyer_id = p_buyer and block.worker_id = favourite.worker_id and ended_at is null))
$$;

-- Returns whether a worker has chosen a language, in the profile or for the screens.
create or replace function worker_has_language(p_worker uuid, p_language text) returns boolean language sql stable as $$
  select exists (select from worker_languages where worker_id = p_worker and p_language = any (languages))
      or exists (select from users where id = p_worker and locale = p_language)
$$;

-- Returns what a task requires of its workers (TaskAudience in contract/audience.ts).
create or replace function task_audience(p_task tasks) returns jsonb language sql stable as $$
  select jsonb_build_object(
           'visibility', case when p_task.listed_from = 'infinity' then 'link'
                              when p_task.listed_from > '-infinity' then 'favourites_first' else 'everyone' end,
           'qualifications', coalesce((select jsonb_agg(jsonb_build_object('_id', id, 'name', name, 'description', description) order by name)
                                         from qualifications where id = any (required.qualifications)), '[]'),
           'approvalPercentMin', approval_percent_min, 'approvedMin', approved_min, 'language', language)
    from (select) as one left join task_requirements as required on task_id = p_task.id
$$;

-- Returns why a worker may not take a slot or an item of a task, as a refusal with its parameters. Null: they may.
create or replace function requirement_refusal(p_task tasks, p_worker uuid) returns jsonb language plpgsql stable as $$
declare
  required task_requirements;
  worked worker_records;
  lacking text;
begin
  if exists (select from worker_blocks where buyer_id = p_task.buyer_id and worker_id = p_worker and ended_at is null) then
    return jsonb_build_object('key', 'not_eligible.blocked', 'params', '{}'::jsonb);
  elsif p_task.listed_from = 'infinity' then
    if not exists (select from task_link_uses where task_id = p_task.id and worker_id = p_worker) then
      return jsonb_build_object('key', 'not_eligible.link', 'params', '{}'::jsonb);
    end if;
  elsif p_task.listed_from > clock_time()
    and not exists (select from favourite_workers where buyer_id = p_task.buyer_id and worker_id = p_worker) then
    return jsonb_build_object('key', 'not_eligible.favourites', 'params',
      jsonb_build_object('minutes', ceil(extract(epoch from p_task.listed_from - clock_time()) / 60)::int));
  end if;
  if not p_task.has_requirements then
    return null;
  end if;
  select * into strict required from task_requirements where task_id = p_task.id;
  select string_agg(name, ', ' order by name) into lacking from qualifications
   where id = any (required.qualifications)
     and not exists (select from qualified_workers where qualification_id = qualifications.id and worker_id = p_worker);
  if lacking is not null then
    return jsonb_build_object('key', 'not_eligible.qualification', 'params', jsonb_build_object('qualifications', lacking));
  end if;
  select * into worked from worker_records where worker_id = p_worker;
  if coalesce(worked.approved, 0) < required.approved_min then
    return jsonb_build_object('key', 'not_eligible.approved', 'params',
      jsonb_build_object('approved', coalesce(worked.approved, 0), 'required', required.approved_min));
  elsif worked.approved * 100 < required.approval_percent_min * (worked.approved + worked.rejected) then
    return jsonb_build_object('key', 'not_eligible.approval_rate', 'params', jsonb_build_object(
      'percent', worked.approved * 100 / (worked.approved + worked.rejected), 'required', required.approval_percent_min));
  elsif required.language is not null and not worker_has_language(p_worker, required.language) then
    return jsonb_build_object('key', 'not_eligible.language', 'params', jsonb_build_object('language', required.language));
  end if;
  return null;
end $$;

-- Refuses for a worker who may not take a slot or an item of a task.
create or replace function refuse_not_eligible(p_task tasks, p_worker uuid) returns void language plpgsql as $$
declare
  refusal jsonb := requirement_refusal(p_task, p_worker);
begin
  if refusal is not null then
    perform refuse(refusal->>'key', refusal->'params');
  end if;
end $$;
