-- The work of workers on batches, and the score that decides who is offered more items. It never decides about pay
-- (docs/decisions/0088-quality-of-batches.md).

-- Returns an answer so that equal ones are equal: several options in one order.
create or replace function comparable_answer(p_value jsonb) returns jsonb language sql immutable as $$
  select case jsonb_typeof(p_value)
    when 'array' then (select jsonb_agg(option order by option) from jsonb_array_elements_text(p_value) as each(option))
    else p_value end
$$;

-- Returns whether answers are all the known ones; null: none are known.
create or replace function matches_golden(p_answers jsonb, p_golden jsonb) returns boolean language sql immutable as $$
  select bool_and(comparable_answer(p_answers -> name) is not distinct from comparable_answer(value))
    from jsonb_each(p_golden) as known(name, value)
$$;

-- Counts the answers that a worker has submitted to an item of a batch, with which they may earn a qualification. What they answered
-- first counts, whatever becomes of it. The caller has locked the worker: two answers at once, in two batches of a project, would
-- each be counted without the other.
create or replace function count_batch_answer(p_batch uuid, p_worker uuid, p_item int, p_answers jsonb) returns void language plpgsql as $$
declare
  project uuid;
  known jsonb;
begin
  select project_id, golden into strict project, known
    from batches join batch_items on batch_items.batch_id = batches.id and number = p_item
   where batches.id = p_batch;
  insert into batch_workers (project_id, worker_id, batch_id, answers, golden_answers, golden_right)
  values (project, p_worker, p_batch, 1, (known is not null)::int, coalesce(matches_golden(p_answers, known), false)::int)
  on conflict (project_id, worker_id, batch_id) do update
     set answers = batch_workers.answers + 1, golden_answers = batch_workers.golden_answers + excluded.golden_answers,
         golden_right = batch_workers.golden_right + excluded.golden_right;
  if known is not null then
    perform earn_qualifications(project, p_worker, sum(golden_right), sum(golden_answers)) from batch_workers
      where project_id = project and worker_id = p_worker;
  end if;
end $$;

-- Returns the score of a worker in a project in percent: the share of right answers to items with known answers, or, with fewer than
-- p_after of those, the share of answers that agree with the estimates. Null with fewer than p_after of both.
create or replace function worker_score(p_project uuid, p_worker uuid, p_after int)
returns table (score numeric, is_golden boolean) language sql stable as $$
  select case when sum(golden_answers) >= p_after then 100.0 * sum(golden_right) / sum(golden_answers)
              when sum(compared) >= p_after then 100.0 * sum(agreeing) / sum(compared) end,
         sum(golden_answers) >= p_after
    from batch_workers where project_id = p_project and worker_id = p_worker
$$;

-- Returns whether the score of a worker is below the least one of a batch's project.
create or replace function has_low_score(p_task uuid, p_worker uuid) returns boolean language plpgsql stable as $$
declare
  project uuid;
  quality jsonb;
begin
  select batches.project_id, content->'quality' into project, quality
    from tasks join batches on batches.id = tasks.batch_id
    join project_versions as versions on versions.project_id = batches.project_id and versions.version = batches.project_version
   where tasks.id = p_task;
  return coalesce((select score from worker_score(project, p_worker, (quality->>'scoreAfter')::int)) < (quality->>'leastScore')::int, false);
end $$;

-- Stores how far the answers of the workers of a batch agree with the estimates. Answers of an earlier version were not counted.
create or replace function store_worker_agreement(p_batch uuid, p_workers jsonb) returns void language sql as $$
  insert into batch_workers (project_id, worker_id, batch_id, answers, compared, agreeing, error_rates)
  select batches.project_id, each.worker_id, batches.id, each.answers, each.compared, each.agreeing, each.error_rates
    from jsonb_to_recordset(p_workers) as each(worker_id uuid, answers int, compared int, agreeing int, error_rates jsonb)
    join batches on batches.id = p_batch
   order by worker_id
  on conflict (project_id, worker_id, batch_id) do update
     set answers = greatest(batch_workers.answers, excluded.answers), compared = excluded.compared, agreeing = excluded.agreeing,
         error_rates = excluded.error_rates
   where (batch_workers.answers, batch_workers.compared, batch_workers.agreeing, batch_workers.error_rates)
     is distinct from (greatest(batch_workers.answers, excluded.answers), excluded.compared, excluded.agreeing, excluded.error_rates)
$$;

-- Resets the agreement of the workers of a batch except these: all their answers were rejected for good.
create or replace function reset_worker_agreement(p_batch uuid, p_except uuid[]) returns void language sql as $$
  update batch_workers set compared = 0, agreeing = 0, error_rates = '[]'
   where batch_id = p_batch and error_rates <> '[]' and worker_id not in (select unnest(p_except))
$$;
