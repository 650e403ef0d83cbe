-- Drafts that are posted by a background job (docs/specification/tasks.md#scheduled-posting), and why the last attempt failed.
alter table task_drafts
  add column post_at timestamptz,
  add column failure_code text,
  add column failure_message text,
  add constraint task_drafts_scheduled check (post_at is null or not is_template);
create index task_drafts_due on task_drafts (post_at) where post_at is not null;
