-- Notifications that are counted up while they are unread (docs/decisions/0093-counted-notifications.md).
-- Locks: notifications and users, for the moment in which foreign keys are added to a new, empty table.

-- The last notification of a kind about a row, such as the task of a batch.
create table notification_groups (
  user_id         uuid not null references users,
  kind            text not null,
  ref             uuid not null,
  notification_id bigint references notifications on delete cascade,
  primary key (user_id, kind, ref)
);
