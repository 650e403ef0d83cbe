-- Workers that are added to every item of a paid batch (docs/specification/projects.md#top-up).
-- Locks: batches, exclusively for a moment, while columns with a constant default are added.

-- `added_workers` are all that were paid for. Of these `raising_workers` are being added, and the first `raised_items` items
-- want them already.
alter table batches
  add column added_workers int not null default 0,
  add column raising_workers int not null default 0,
  add column raised_items int not null default 0,
  add constraint batches_added check (added_workers >= raising_workers and raising_workers >= 0 and raised_items between 0 and items);
