-- How often something was tried, shared by all instances. A row counts until it resets.
create table throttles (
  key       text primary key,                       -- what is counted, for which address and network; addresses hashed
  hits      int not null,
  resets_at timestamptz not null
);
create index throttles_by_reset on throttles (resets_at);
