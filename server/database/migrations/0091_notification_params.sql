-- A notification stores its kind and the kind's parameters (contract/notification-kinds.ts). Its sentence and route are
-- made when it is read. Rows written before this migration keep theirs.
alter table notifications
  add column params jsonb,
  alter column message drop not null,
  alter column action_route drop not null,
  add constraint notifications_have_text check (params is not null or (message is not null and action_route is not null));

-- Events of the earlier form. Pages that reconnect read everything again.
truncate live_events;

-- Functions whose parameters changed, or that have no successor.
drop function if exists notify_user(uuid, text, text, text, uuid);
drop function if exists notify_admins_of_payment(text, text, uuid);
drop function if exists pay_submission(submissions, text);
drop function if exists relay_outbox(int);
drop function if exists live_topic_of(text);
