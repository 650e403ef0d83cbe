-- The filters of the task lists that a user saved, one row per user (docs/specification/tasks.md#saved-filters).
create table task_filters (
  user_id    uuid primary key references users,
  filters    jsonb not null,
  changed_at timestamptz not null default clock_time(),
  constraint task_filters_number check (jsonb_typeof(filters) = 'array' and jsonb_array_length(filters) <= 20)
);
