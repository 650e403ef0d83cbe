-- How many tenths of a batch were announced as done (docs/specification/projects.md#events).
-- Locks: batches, exclusively for a moment, while a column with a constant default is added.
alter table batches
  add column announced_tenths int not null default 0,
  add constraint batches_announced check (announced_tenths between 0 and 10);
