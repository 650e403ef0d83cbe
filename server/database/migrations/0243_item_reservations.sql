-- Reservations of items of a batch and the work on them (docs/decisions/0086-items-of-a-batch.md).
-- Locks: reservations and submissions, exclusively for a moment, while columns without a default are added.

-- The item of a batch that is reserved; null: a slot of a plain task.
alter table reservations add column item_number int;
-- `answers` are what the worker entered, by the questions of the form; `text` is their text form.
alter table submissions add column item_number int, add column answers jsonb;
