-- Tests by which workers earn qualifications: answers to items with known answers (docs/decisions/0095-qualification-tests.md).

-- Sets the project in whose batches workers earn a buyer's own qualification; without a project it is only granted. Workers who
-- have passed the test already earn it at once. Lock order: the tasks of the project, the qualification.
create or replace function set_qualification_test(
  p_qualification uuid, p_buyer uuid, p_project uuid, p_answers_min int, p_percent_min int)
returns void language plpgsql as $$
declare
  earners uuid[];
begin
  if p_project is not null and not exists (select from projects where id = p_project and buyer_id = p_buyer) then
    perform refuse('not_found.project');
  end if;
  -- Waits for answers that are being submitted. Later ones find the test.
  perform from tasks where id in (select task_id from batches where project_id = p_project) order by id for share;
  perform lock_own_qualification(p_qualification, p_buyer);
  update qualifications set test_project = p_project, test_answers_min = p_answers_min, test_percent_min = p_percent_min
   where id = p_qualification;
  with passed as (
    select worker_id, sum(golden_right) as right_answers, sum(golden_answers) as answers
      from batch_workers where project_id = p_project group by worker_id
    having sum(golden_answers) >= p_answers_min and sum(golden_right) * 100 >= p_percent_min * sum(golden_answers)),
  earned as (
    insert into qualified_workers (qualification_id, worker_id, earned_right, earned_answers)
    select p_qualification, worker_id, right_answers, answers from passed join users on users.id = worker_id
     where deleted_at is null
       and not exists (select from revoked_qualifications as revoked
                        where revoked.qualification_id = p_qualification and revoked.worker_id = passed.worker_id)
     order by worker_id
    on conflict do nothing returning worker_id)
  select coalesce(array_agg(worker_id), '{}') into earners from earned;
  perform notify_earned(p_qualification, earners);
end $$;

-- Grants a worker the qualifications of a project whose tests they pass with `p_right` correct answers of `p_answers` to golden
-- items, unless revoked. The caller has locked the worker.
create or replace function earn_qualifications(p_project uuid, p_worker uuid, p_right bigint, p_answers bigint)
returns void language plpgsql as $$
declare
  passed uuid;
begin
  -- Locked, so that a concurrent deletion, which revokes it from the worker, waits.
  for passed in
    select id from qualifications
     where test_project = p_project and p_answers >= test_answers_min and p_right * 100 >= test_percent_min * p_answers
       and not exists (select from qualified_workers where qualification_id = qualifications.id and worker_id = p_worker)
     order by id for key share
  loop
    continue when exists (select from revoked_qualifications where qualification_id = passed and worker_id = p_worker);
    insert into qualified_workers (qualification_id, worker_id, earned_right, earned_answers)
    values (passed, p_worker, p_right, p_answers) on conflict do nothing;
    if found then
      perform notify_earned(passed, array[p_worker]);
    end if;
  end loop;
end $$;

-- Notifies workers of a qualification that they earned.
create or replace function notify_earned(p_qualification uuid, p_workers uuid[]) returns void language sql as $$
  select notify_users(p_workers, 'qualification_earned',
           array_fill(jsonb_build_object('qualification', qualifications.name, 'buyer', users.name), array[cardinality(p_workers)]),
           array_fill(p_qualification, array[cardinality(p_workers)]))
    from qualifications join users on users.id = buyer_id where qualifications.id = p_qualification
$$;
