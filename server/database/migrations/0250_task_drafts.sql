-- Tasks that their buyers saved and have not posted: drafts, and templates that stay when they are posted
-- (docs/specification/tasks.md#drafts-and-templates). `task` has the fields of a new task that are filled in. A background job
-- posts the scheduled ones, and stores why an attempt failed (docs/specification/tasks.md#scheduled-posting).
-- Locks: users, for the moment in which the foreign key is added to a new, empty table.
create table task_drafts (
  id          uuid primary key,
  buyer_id    uuid not null references users,
  name        text not null check (length(name) <= 200),
  is_template boolean not null,
  task        jsonb not null check (jsonb_typeof(task) = 'object'),
  -- Its picture is not unused.
  image_url   text not null generated always as (coalesce(task ->> 'task_image_url', '')) stored,
  created_at  timestamptz not null default clock_time(),
  changed_at  timestamptz not null default clock_time(),
  post_at     timestamptz,
  failure_code    text,
  failure_message text,
  constraint task_drafts_scheduled check (post_at is null or not is_template)
);
create index task_drafts_of_buyer on task_drafts (buyer_id, changed_at desc);
create index task_drafts_by_image on task_drafts (image_url) where image_url <> '';
create index task_drafts_due on task_drafts (post_at) where post_at is not null;
