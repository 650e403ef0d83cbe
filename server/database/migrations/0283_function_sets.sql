-- Locks: none on existing tables.
-- The SQL functions of each version have a schema of their own (docs/decisions/0078-versions-side-by-side.md). Every running
-- instance sets `used_at` of its version by the minute; a schema that none has used for a day is dropped.
create table function_sets (
  schema_name  text primary key,
  version      text not null,
  installed_at timestamptz not null default now(),
  used_at      timestamptz not null default now(),
  constraint function_sets_schema_name check (schema_name ~ '^functions_[0-9a-f]{12}$')
);
