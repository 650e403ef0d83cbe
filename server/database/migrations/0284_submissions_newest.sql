-- The list of a worker's submissions walks the index by status for each status that it shows. An index of its own cost every
-- submission and every decision a write.
-- Locks: submissions, exclusively for the moment in which an index is dropped.
drop index submissions_of_worker_newest;
