-- Pending work whose buyer has not been warned yet that it approves itself.
create index submissions_to_warn on submissions (review_by) where status = 'pending' and warned_at is null;
