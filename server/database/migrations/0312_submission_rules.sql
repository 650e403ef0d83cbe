-- The rules of a submission's row in one function, as 0311 does for tasks (docs/decisions/0109-row-rules.md).
-- Locks: submissions exclusively for a moment. Rows are not read. The end of the upgrade validates the constraint, while users write.
create function is_valid_submission(
  p_status submission_status, p_decided_at timestamptz, p_decided_by decider, p_reward bigint, p_task_version int)
returns boolean language plpgsql immutable parallel safe as $$
begin
  return p_reward > 0
     and p_task_version >= 1
     and (p_status in ('approved', 'rejected')) = (p_decided_at is not null and p_decided_by is not null);
end $$;

alter table submissions
  drop constraint submissions_decided,
  drop constraint submissions_reward,
  drop constraint submissions_task_version,
  add constraint submissions_valid check (is_valid_submission(status, decided_at, decided_by, reward, task_version)) not valid;
