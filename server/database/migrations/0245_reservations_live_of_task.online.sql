-- One live reservation per worker and plain task.
-- Locks: nothing for writes; the indexes are built and dropped concurrently.
create unique index concurrently reservations_live_of_task on reservations (task_id, worker_id) where ended_at is null and item_number is null;
drop index concurrently if exists reservations_live;
