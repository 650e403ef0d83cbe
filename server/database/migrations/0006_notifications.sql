-- What a person is told, written in the transaction it tells of.
create table notifications (
  id           bigint generated always as identity primary key,
  user_id      uuid not null references users,
  kind         text not null,
  message      text not null,
  action_route text not null,
  ref          uuid,
  created_at   timestamptz not null default clock_time(),
  read_at      timestamptz
);
create index notifications_of_user on notifications (user_id, id desc);
create index notifications_unread on notifications (user_id, id) where read_at is null;

-- What happens later because of what was just committed: live pages to tell, mail to send. Money functions only add
-- a row here (a NOTIFY would make commits wait for each other); a relay takes them from here.
create table outbox (
  id              bigint generated always as identity primary key,
  topic           text not null,
  user_id         uuid,
  notification_id bigint,
  payload         jsonb not null default '{}',
  created_at      timestamptz not null default clock_time()
);
