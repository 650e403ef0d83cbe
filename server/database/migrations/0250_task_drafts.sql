-- Tasks that their buyers saved and have not posted: drafts, and templates that stay when they are posted
-- (docs/specification/tasks.md#drafts-and-templates). `task` has the fields of a new task that are filled in.
create table task_drafts (
  id          uuid primary key,
  buyer_id    uuid not null references users,
  name        text not null check (length(name) <= 200),
  is_template boolean not null,
  task        jsonb not null check (jsonb_typeof(task) = 'object'),
  -- Its picture is not unused.
  image_url   text not null generated always as (coalesce(task ->> 'task_image_url', '')) stored,
  created_at  timestamptz not null default clock_time(),
  changed_at  timestamptz not null default clock_time()
);
create index task_drafts_of_buyer on task_drafts (buyer_id, changed_at desc);
create index task_drafts_by_image on task_drafts (image_url) where image_url <> '';
