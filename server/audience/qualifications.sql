-- Qualifications (docs/specification/audience.md#qualifications).

-- Creates a qualification of a buyer, who has fewer than `p_max`. The lock of the buyer's row keeps concurrent requests from
-- exceeding it.
create or replace function create_qualification(p_id uuid, p_buyer uuid, p_name text, p_description text, p_max int)
returns void language plpgsql as $$
begin
  perform lock_user_in_role(p_buyer, 'Buyer');
  if (select count(*) from qualifications where buyer_id = p_buyer) >= p_max then
    perform refuse('state_conflict.qualifications', jsonb_build_object('max', p_max));
  end if;
  insert into qualifications (id, buyer_id, name, description) values (p_id, p_buyer, p_name, p_description)
  on conflict (buyer_id, lower(name)) do nothing;
  if not found then
    perform refuse('state_conflict.qualification_name');
  end if;
end $$;

-- Locks a buyer's own qualification and returns it. Refuses for one that is deleted or another buyer's.
create or replace function lock_own_qualification(p_qualification uuid, p_buyer uuid) returns qualifications language plpgsql as $$
declare
  qualification qualifications;
begin
  select * into qualification from qualifications where id = p_qualification and buyer_id = p_buyer for update;
  if not found then
    perform refuse('not_found.qualification');
  end if;
  return qualification;
end $$;

-- Changes a buyer's own qualification.
create or replace function change_qualification(p_qualification uuid, p_buyer uuid, p_name text, p_description text)
returns void language plpgsql as $$
begin
  perform lock_own_qualification(p_qualification, p_buyer);
  if exists (select from qualifications where buyer_id = p_buyer and lower(name) = lower(p_name) and id <> p_qualification) then
    perform refuse('state_conflict.qualification_name');
  end if;
  update qualifications set name = p_name, description = p_description where id = p_qualification;
exception when unique_violation then
  perform refuse('state_conflict.qualification_name');
end $$;

-- Deletes a buyer's own qualification that no open task requires: nobody could work on such a task any more.
create or replace function delete_qualification(p_qualification uuid, p_buyer uuid) returns void language plpgsql as $$
begin
  perform lock_own_qualification(p_qualification, p_buyer);
  if exists (select from tasks join task_requirements on task_id = tasks.id
              where buyer_id = p_buyer and closed_at is null and qualifications @> array[p_qualification]) then
    perform refuse('state_conflict.qualification_required');
  end if;
  delete from qualifications where id = p_qualification;
end $$;

-- Grants a buyer's own qualification to their workers, or revokes it, and notifies those who did not have it. A worker whose earned
-- qualification was revoked does not earn it again. All or none: an unknown pseudonym is refused. Deleted workers are skipped. Returns how
-- many changed.
create or replace function set_qualified_workers(p_qualification uuid, p_buyer uuid, p_pseudonyms text[], p_qualified boolean)
returns int language plpgsql as $$
declare
  -- Locked, so that none is deleted meanwhile; before the qualification, as work that earns it locks them.
  named uuid[] := array(
    select worker_id from buyer_workers join users on users.id = worker_id
     where buyer_id = p_buyer and pseudonym = any (p_pseudonyms) and deleted_at is null order by worker_id for share of users);
  qualification qualifications := lock_own_qualification(p_qualification, p_buyer);
  buyer text := (select name from users where id = p_buyer);
  unknown text;
  changed uuid[];
begin
  select given.pseudonym into unknown from unnest(p_pseudonyms) as given (pseudonym)
   where not exists (select from buyer_workers where buyer_id = p_buyer and buyer_workers.pseudonym = given.pseudonym) limit 1;
  if found then
    perform refuse('not_found.worker_named', jsonb_build_object('worker', unknown));
  end if;
  if p_qualified then
    delete from revoked_qualifications where qualification_id = p_qualification and worker_id = any (named);
    with granted as (
      insert into qualified_workers (qualification_id, worker_id)
      select p_qualification, worker_id from unnest(named) as each(worker_id)
      on conflict do nothing returning worker_id)
    select coalesce(array_agg(worker_id), '{}') into changed from granted;
    perform notify_users(changed, 'qualification_granted',
      array_fill(jsonb_build_object('qualification', qualification.name, 'buyer', buyer), array[cardinality(changed)]),
      array_fill(p_qualification, array[cardinality(changed)]));
  else
    insert into revoked_qualifications (qualification_id, worker_id)
    select p_qualification, worker_id from unnest(named) as each(worker_id) on conflict do nothing;
    with revoked as (
      delete from qualified_workers where qualification_id = p_qualification and worker_id = any (named) returning worker_id)
    select coalesce(array_agg(worker_id), '{}') into changed from revoked;
  end if;
  return cardinality(changed);
end $$;
