-- When `npm run backup` last completed, which the Admin's first steps show. One row at most.
create table last_backup (
  is_only     boolean primary key default true,
  finished_at timestamptz not null default clock_time(),
  constraint last_backup_only check (is_only)
);
