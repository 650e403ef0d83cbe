-- Partitions of notifications by ranges of ids (docs/decisions/0103-partitions.md). The table becomes the first partition, without bounds.
-- Its rows are neither copied nor read, because a range without bounds needs no check.
-- Locks: users for writes, notification_groups and notifications exclusively, for the moment in which names are swapped.
lock table users in share row exclusive mode;

-- PostgreSQL does not detach a partition to which rows of another table refer. A group whose notification is not found begins a new one.
alter table notification_groups drop constraint notification_groups_notification_id_fkey;

alter table notifications rename to notifications_1;
alter table notifications_1 rename constraint notifications_pkey to notifications_1_pkey;
alter index notifications_of_user rename to notifications_1_of_user;
alter index notifications_unread rename to notifications_1_unread;

do $$
declare
  next_id bigint := nextval(pg_get_serial_sequence('notifications_1', 'id'));
  granted record;
begin
  alter table notifications_1 alter column id drop identity;

  create table notifications (
    id           bigint generated always as identity primary key,
    user_id      uuid not null references users,
    kind         text not null,
    message      text,
    action_route text,
    ref          uuid,
    created_at   timestamptz not null default clock_time(),
    read_at      timestamptz,
    params       jsonb,
    constraint notifications_have_text check (params is not null or (message is not null and action_route is not null))
  ) partition by range (id);
  create index notifications_of_user on notifications (user_id, id desc);
  create index notifications_unread on notifications (user_id, id) where read_at is null;
  execute format('alter table notifications alter column id restart with %s', next_id);

  -- Running instances write to the new table as soon as this transaction ends.
  for granted in
    select grantee, string_agg(privilege_type, ', ') as privileges
      from pg_class, aclexplode(relacl) where oid = 'notifications_1'::regclass and grantee <> relowner group by grantee
  loop
    execute format('grant %s on notifications to %s', granted.privileges,
      case granted.grantee when 0 then 'public' else granted.grantee::regrole::text end);
  end loop;

  alter table notifications attach partition notifications_1 for values from (minvalue) to (maxvalue);
end $$;
