-- The check of pictures at other sites in the files of batches (docs/specification/projects.md#pictures).
-- Locks: batches, exclusively for a moment, while columns with a constant default are added.

-- `pictures` are the different URLs in the picture columns of a file, which are requested after its rows are read. They are requested until
-- `pictures_until`, by the instance that has claimed the file until `pictures_claimed_until`.
alter table batches
  add column pictures int not null default 0,
  add column pictures_checked int not null default 0,
  add column pictures_until timestamptz,
  add column pictures_claimed_until timestamptz,
  add constraint batches_pictures check (pictures_checked between 0 and pictures) not valid;

-- The URLs that are requested. `result` is null until then, '' for a picture that loads, 'not_checked' for one that is not requested because its
-- host does not respond, and otherwise why it does not load (contract/batch-problems.ts). They are deleted when the check ends.
create table batch_pictures (
  batch_id uuid not null references batches on delete cascade,
  number   int not null,
  url      text not null,
  result   text,
  primary key (batch_id, number)
);
