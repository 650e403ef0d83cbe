-- Tells a person something, in the transaction of what it tells: a notice in their list, and a row in the outbox for
-- live pages and mail.
create or replace function notify_user(p_user uuid, p_kind text, p_message text, p_route text, p_ref uuid default null)
returns void language plpgsql as $$
declare
  notice bigint;
begin
  insert into notifications (user_id, kind, message, action_route, ref)
  values (p_user, p_kind, p_message, p_route, p_ref) returning id into notice;
  insert into outbox (topic, user_id, notification_id) values ('notification', p_user, notice);
end $$;

-- Coins as a person reads them: 1 coin, 25 coins.
create or replace function coins_in_words(p_coins bigint) returns text language sql immutable as $$
  select p_coins || case when p_coins = 1 then ' coin' else ' coins' end
$$;

-- Dollars as a person reads them: $12.50.
create or replace function dollars_in_words(p_cents bigint) returns text language sql immutable as $$
  select '$' || to_char(p_cents / 100.0, 'FM999,999,999,999,990.00')
$$;
