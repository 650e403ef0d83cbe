-- Items with known answers (docs/decisions/0088-quality-of-batches.md).
-- Locks: batches, batch_items and batch_workers, exclusively for a moment, while columns without a default or with a constant
-- one are added.

alter table batches add column golden_items int not null default 0;
-- The known answers, by the questions of the form. They are not part of `input`, which workers see parts of.
alter table batch_items add column golden jsonb;
-- The answers to items with known answers, and those that are the known ones.
alter table batch_workers
  add column golden_answers int not null default 0,
  add column golden_right int not null default 0,
  add constraint batch_workers_golden check (golden_right between 0 and golden_answers);
