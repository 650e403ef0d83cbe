-- Sizes of what grows, one sample per day and name, from which the System screen computes rates. Names are tables, the
-- schema of the job queue, `database` for all of it, and `picture files` for the folder of pictures.
create table size_samples (
  day     date not null,
  name    text not null,
  bytes   bigint not null,
  rows    bigint,                      -- an estimate; null for what has no rows
  primary key (name, day),
  constraint size_samples_not_negative check (bytes >= 0 and rows >= 0)
);
