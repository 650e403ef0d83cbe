-- Returns the allowed changes of a submission's status (contract/submission-states.ts has who makes them, and when).
create or replace function submission_transitions()
returns table (before submission_status, after submission_status) language sql immutable as $$
  values
    ('pending'::submission_status, 'approved'::submission_status), ('pending', 'revision_requested'),
    ('pending', 'rejection_open'), ('pending', 'in_review'), ('pending', 'rejected'),
    ('revision_requested', 'pending'), ('revision_requested', 'approved'), ('revision_requested', 'rejected'),
    ('rejection_open', 'appealed'), ('rejection_open', 'approved'), ('rejection_open', 'rejected'),
    ('appealed', 'in_review'), ('appealed', 'approved'), ('appealed', 'rejected'),
    ('in_review', 'approved'), ('in_review', 'rejected'), ('in_review', 'rejection_open'),
    ('rejected', 'approved')
$$;

-- Rejects a change of status that is not in the table.
create or replace function guard_submission_status() returns trigger language plpgsql as $$
begin
  -- Most changes are approvals of pending work; they need no query.
  if new.status = old.status or (old.status = 'pending' and new.status = 'approved') then
    return new;
  elsif exists (select from submission_transitions() as allowed where allowed.before = old.status and allowed.after = new.status) then
    return new;
  end if;
  raise exception 'a submission cannot change from % to %', old.status, new.status;
end $$;
create or replace trigger submissions_guard_status before update of status on submissions
  for each row execute function guard_submission_status();
