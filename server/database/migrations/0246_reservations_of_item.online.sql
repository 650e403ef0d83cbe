-- A worker reserves an item once, whatever becomes of the reservation.
-- Locks: nothing for writes; the index is built concurrently.
create unique index concurrently reservations_of_item on reservations (task_id, worker_id, item_number) where item_number is not null;
