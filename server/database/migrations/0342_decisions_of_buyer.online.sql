-- The latest decisions of a buyer, in the order in which they were made: whether each further rejection needs a reviewer
-- (server/submissions/reject.sql). Pending work is not in it, so that neither a submission nor its revision writes it.
-- Locks: nothing for writes; the index is built concurrently.
create index concurrently submissions_decided_of_buyer on submissions
  (buyer_id, coalesce(rejected_at, decided_at), (rejected_at is not null)) where coalesce(rejected_at, decided_at) is not null;
