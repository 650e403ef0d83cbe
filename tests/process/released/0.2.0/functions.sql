-- Somebody writes to the people who run this marketplace; every Admin is told.
create or replace function send_contact(p_id uuid, p_name text, p_email text, p_subject text, p_message text)
returns void language plpgsql as $$
begin
  insert into contact_messages (id, name, email, subject, message) values (p_id, p_name, p_email, p_subject, p_message);
  perform tell(id, 'contact_message', format('%s wrote to you: %s', p_name, p_subject), '/dashboard/messages', p_id)
     from users where role = 'Admin' and deleted_at is null;
end $$;
-- A rule saying no, from inside SQL: the error handler turns it into an answer with this code and sentence.
create or replace function refuse(p_code text, p_message text) returns void language plpgsql as $$
begin
  raise exception using errcode = 'TW001', message = p_message, detail = p_code;
end $$;
-- Each function called audit_* answers rows of (name, checked, wrong); wrong is 0 when the books balance. A domain
-- that keeps coins has one beside its use cases, and the audit command runs them all in one snapshot.
create or replace function audit_ledger()
returns table (name text, checked bigint, wrong bigint) language sql stable as $$
  with moved as (
    select account, sum(amount)::bigint as total
      from (select credit as account, amount from ledger_transfers
            union all
            select debit, -amount from ledger_transfers) as sides
     group by account
  ),
  totals as (
    select accounts.id, accounts.kind, accounts.balance, accounts.debt, coalesce(moved.total, 0) as total
      from ledger_accounts as accounts left join moved on moved.account = accounts.id
  )
  select 'every balance is the sum of its transfers', count(*), count(*) filter (where balance <> total)
    from totals where kind in ('person', 'escrow', 'hold')
  union all
  select 'the sum over all accounts is zero', count(*), abs(coalesce(sum(case when kind in ('person', 'escrow', 'hold') then balance else total end), 0))::bigint
    from totals
  union all
  select 'no balance is below zero', count(*), count(*) filter (where balance < 0) from totals
  union all
  select 'every debt is what was missing less what was paid', count(*), count(*) filter (where debt <> owed - paid)
    from (
      select totals.debt,
        coalesce((select sum(amount) from ledger_debts where account = totals.id), 0) as owed,
        coalesce((select sum(amount) from ledger_transfers where debit = totals.id and kind = 'debt_paid'), 0) as paid
      from totals where totals.kind = 'person' and (totals.debt > 0 or totals.id in (select account from ledger_debts))
    ) as debts
$$;

-- Where the coins are, for the audit's figures and the Admin's screen.
create or replace function ledger_figures()
returns table (name text, coins bigint) language sql stable as $$
  select 'with people', coalesce(sum(balance), 0)::bigint from ledger_accounts where kind = 'person'
  union all select 'in escrow', coalesce(sum(balance), 0)::bigint from ledger_accounts where kind = 'escrow'
  union all select 'on hold', coalesce(sum(balance), 0)::bigint from ledger_accounts where kind = 'hold'
  union all select 'owed by people', coalesce(sum(debt), 0)::bigint from ledger_accounts where kind = 'person'
  union all select 'given as bonus', coalesce(sum(amount), 0)::bigint from ledger_transfers where kind = 'sign_up_bonus'
  union all select 'swept to the house', coalesce(sum(amount), 0)::bigint from ledger_transfers where kind in ('swept_to_house', 'task_fee')
  union all select 'bought by card', coalesce(sum(amount), 0)::bigint from ledger_transfers where kind = 'coins_bought'
  union all select 'taken back by card', coalesce(sum(amount), 0)::bigint from ledger_transfers where kind in ('card_reversed', 'debt_paid')
  union all select 'paid out', coalesce(sum(amount), 0)::bigint from ledger_transfers where kind = 'withdrawal_paid'
  union all select 'transfers', count(*) from ledger_transfers
  union all select 'accounts', count(*) from ledger_accounts
$$;
-- The card provider takes coins back: what is there goes at once, what is missing becomes a debt that later coins pay
-- first (decisions.md §3, "card refund or dispute"). Once per reference. Answers what was taken and what is owed.
create or replace function reverse_purchase(p_ref uuid, p_account bigint, p_coins bigint)
returns table (taken bigint, owed bigint) language plpgsql as $$
declare
  there bigint;
begin
  select balance into strict there from ledger_accounts where id = p_account for no key update;
  if exists (select from ledger_transfers where kind = 'card_reversed' and ref = p_ref)
     or exists (select from ledger_debts where ref = p_ref) then
    return query select 0::bigint, 0::bigint;
    return;
  end if;
  taken := least(there, p_coins);
  owed := p_coins - taken;
  if taken > 0 then
    perform transfer('card_reversed', p_ref, p_account, card_clearing_account(), taken);
  end if;
  if owed > 0 then
    insert into ledger_debts (ref, account, amount) values (p_ref, p_account, owed);
  end if;
  return next;
end $$;

create or replace function apply_debt() returns trigger language plpgsql as $$
begin
  update ledger_accounts set debt = debt + new.amount where id = new.account;
  return null;
end $$;
create or replace trigger ledger_debts_apply after insert on ledger_debts
  for each row execute function apply_debt();
-- All coins that ever moved, by kind, in one snapshot: the kept sums and what came after them.
create or replace function ledger_sums_now()
returns table (kind transfer_kind, amount bigint, transfers bigint, fresh bigint)
language sql stable parallel safe as $$
  select parts.kind, sum(parts.amount)::bigint, sum(parts.transfers)::bigint, sum(parts.fresh)::bigint
    from (
      select ledger_sums.kind, ledger_sums.amount, ledger_sums.transfers, 0 as fresh from ledger_sums
      union all
      select moved.kind, sum(moved.amount), count(*), count(*) from ledger_transfers as moved
       where moved.id > (select up_to from ledger_sums_mark) group by moved.kind
    ) as parts group by parts.kind
$$;

-- Moves the kept sums forward. Transfers are numbered when they are written and seen when they are committed, so the
-- newest number is only marked now, and taken up when every transaction of that time has ended. The thousand newest
-- stay out: one may have its number and not yet a transaction to see. Answers how many numbers were taken up.
create or replace function settle_ledger_sums() returns bigint language plpgsql as $$
declare
  mark ledger_sums_mark;
  taken bigint := 0;
begin
  select * into mark from ledger_sums_mark for update skip locked;
  if not found then
    return 0;
  end if;
  if mark.next_up_to > mark.up_to then
    if mark.next_xid > pg_snapshot_xmin(pg_current_snapshot()) then
      return 0;
    end if;
    insert into ledger_sums as kept (kind, amount, transfers)
    select kind, sum(amount), count(*) from ledger_transfers
     where id > mark.up_to and id <= mark.next_up_to group by kind
    on conflict (kind) do update set
      amount = kept.amount + excluded.amount, transfers = kept.transfers + excluded.transfers;
    taken := mark.next_up_to - mark.up_to;
  end if;
  update ledger_sums_mark set
    up_to = greatest(mark.up_to, coalesce(mark.next_up_to, 0)),
    next_up_to = (select max(id) - 1000 from ledger_transfers),
    next_xid = pg_snapshot_xmax(pg_current_snapshot()),
    marked_at = clock_timestamp();
  return taken;
end $$;

create or replace function audit_sums()
returns table (name text, checked bigint, wrong bigint) language sql stable as $$
  with moved as (
    select kind, sum(amount) as amount, count(*) as transfers from ledger_transfers
     where id <= (select up_to from ledger_sums_mark) group by kind
  )
  select 'the kept sums are those of their transfers', count(*),
         count(*) filter (where (kept.amount, kept.transfers) is distinct from (moved.amount::bigint, moved.transfers))
    from ledger_sums as kept full join moved on moved.kind = kept.kind
$$;
-- The house's own accounts: where bonus coins come from, where card purchases come from, where payouts go.
create or replace function house_account() returns bigint language sql immutable as 'select 1::bigint';
create or replace function card_clearing_account() returns bigint language sql immutable as 'select 2::bigint';
create or replace function paid_out_account() returns bigint language sql immutable as 'select 3::bigint';

create or replace function open_account(p_kind account_kind) returns bigint language sql as $$
  insert into ledger_accounts (kind) values (p_kind) returning id
$$;

-- Moves coins from one account to another. Asking twice with the same kind and reference moves them once: the second
-- time answers false. This is the only code that moves coins; the triggers below refuse whoever tries another way.
-- Lock order: the debited account first. Escrows and holds give, people take, so an escrow comes before a person.
create or replace function transfer(p_kind transfer_kind, p_ref uuid, p_debit bigint, p_credit bigint, p_amount bigint)
returns boolean language plpgsql as $$
declare
  known ledger_transfers;
begin
  insert into ledger_transfers (kind, ref, debit, credit, amount)
  values (p_kind, p_ref, p_debit, p_credit, p_amount)
  on conflict on constraint ledger_transfers_once do nothing;
  if found then
    return true;
  end if;

  select * into strict known from ledger_transfers where kind = p_kind and ref = p_ref;
  if (known.debit, known.credit, known.amount) is distinct from (p_debit, p_credit, p_amount) then
    raise exception 'transfer % % is already booked otherwise', p_kind, p_ref;
  end if;
  return false;
end $$;

-- A transfer changes both balances in the moment it is written, so a balance is always the sum of its transfers.
create or replace function apply_transfer() returns trigger language plpgsql as $$
declare
  owed bigint;
begin
  update ledger_accounts set balance = balance - new.amount
   where id = new.debit and kind in ('person', 'escrow', 'hold') and balance >= new.amount;
  if not found and not exists (
    select from ledger_accounts where id = new.debit and kind in ('house', 'card_clearing', 'paid_out')
  ) then
    perform refuse('insufficient_coins', 'Not available Coin. Purchase Coin');
  end if;

  update ledger_accounts set balance = balance + new.amount
   where id = new.credit and kind in ('person', 'escrow', 'hold')
   returning debt into owed;

  -- Coins taken back by the card provider after they were spent are paid from whatever comes next.
  if owed > 0 and new.kind <> 'debt_paid' then
    update ledger_accounts set debt = debt - least(owed, new.amount) where id = new.credit;
    perform transfer('debt_paid', gen_random_uuid(), new.credit, card_clearing_account(), least(owed, new.amount));
  end if;
  return null;
end $$;
create or replace trigger ledger_transfers_apply after insert on ledger_transfers
  for each row execute function apply_transfer();

create or replace function refuse_change() returns trigger language plpgsql as $$
begin
  raise exception '% is append-only', tg_table_name;
end $$;
create or replace trigger ledger_transfers_immutable before update or delete on ledger_transfers
  for each row execute function refuse_change();
create or replace trigger ledger_transfers_no_truncate before truncate on ledger_transfers
  for each statement execute function refuse_change();
create or replace trigger ledger_debts_immutable before update or delete on ledger_debts
  for each row execute function refuse_change();
create or replace trigger ledger_debts_no_truncate before truncate on ledger_debts
  for each statement execute function refuse_change();

-- Balances and debts change only from inside the triggers of the ledger's own tables.
create or replace function guard_account() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    if new.balance = 0 and new.debt = 0 then
      return new;
    end if;
  elsif tg_op = 'UPDATE' and pg_trigger_depth() > 1 and new.id = old.id and new.kind = old.kind then
    return new;
  end if;
  raise exception 'only a transfer changes an account';
end $$;
create or replace trigger ledger_accounts_guard before insert or update or delete on ledger_accounts
  for each row execute function guard_account();
create or replace trigger ledger_accounts_no_truncate before truncate on ledger_accounts
  for each statement execute function refuse_change();
-- Says that a person's task or coins changed where nobody is told a sentence about it. Live pages follow.
create or replace function changed(p_user uuid, p_task uuid default null) returns void language sql as $$
  insert into outbox (topic, user_id, payload)
  values ('changed', p_user, case when p_task is null then '{}' else jsonb_build_object('task', p_task) end)
$$;

-- What of a person's pages a kind of notice is about.
create or replace function about_of(p_kind text) returns text language sql immutable as $$
  select case
    when p_kind in ('work_received', 'submission_approved', 'submission_rejected', 'review_near', 'approved_by_time',
                    'worker_left')
      then 'submissions'
    when p_kind like 'task%' then 'tasks'
    when p_kind like 'withdrawal%' then 'withdrawals'
    when p_kind like 'role%' then 'person'
    when p_kind like 'contact%' then 'contact'
    else 'payments'
  end
$$;

-- Moves what waits in the outbox on: to live pages as numbered events, and to the caller what is to be mailed, all in
-- the caller's transaction. One relay at a time; where another is at work this one moves nothing.
create or replace function relay_outbox(p_limit int)
returns table (moved int, mails jsonb, notices jsonb) language plpgsql as $$
declare
  head bigint;
begin
  select seq into head from live_head for update skip locked;
  if not found then
    return query select 0, '[]'::jsonb, '[]'::jsonb;
    return;
  end if;

  return query
  with taken as (
    delete from outbox where id in (select id from outbox order by id limit p_limit for update skip locked)
    returning id, topic, user_id, notification_id, payload
  ),
  told as (
    select taken.user_id, notice.id, notice.kind, notice.message, notice.action_route, notice.created_at, notice.ref,
           about_of(notice.kind) as about
      from taken join notifications as notice on notice.id = taken.notification_id
  ),
  work as (
    select told.user_id as told_to, submissions.worker_id, submissions.buyer_id, submissions.task_id
      from told join submissions on submissions.id = told.ref where told.about = 'submissions'
  ),
  touched (user_id, about) as (
    select user_id, about from told
    union select buyer_id, 'submissions' from work where buyer_id <> told_to
    union select worker_id, 'submissions' from work where worker_id <> told_to
    union select taken.user_id, 'tasks' from taken where topic = 'changed'
  ),
  for_people as (
    select touched.user_id, jsonb_build_object(
             'about', jsonb_agg(distinct touched.about), 'coin', min(accounts.balance),
             'notices', coalesce((
               select jsonb_agg(jsonb_build_object('_id', told.id::text, 'message', told.message, 'time',
                        to_char(told.created_at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
                        'actionRoute', told.action_route, 'read', false) order by told.id)
                 from told where told.user_id = touched.user_id), '[]')) as body
      from touched join users on users.id = touched.user_id join ledger_accounts as accounts on accounts.id = users.account_id
     where users.deleted_at is null
     group by touched.user_id
  ),
  changed_tasks (task_id) as (
    select task_id from work
    union select ref from told where about = 'tasks'
    union select (payload->>'task')::uuid from taken where topic = 'changed' and payload ? 'task'
  ),
  for_watchers as (
    select null::uuid as user_id, jsonb_build_object('tasks', jsonb_agg(jsonb_build_object(
             '_id', tasks.id, 'worker', tasks.slots_left, 'isClosed', tasks.closed_at is not null))) as body
      from changed_tasks join tasks on tasks.id = changed_tasks.task_id
    having count(*) > 0
  ),
  numbered as (
    insert into live_events (seq, user_id, body)
    select head + row_number() over (), events.user_id, events.body
      from (select * from for_people union all select * from for_watchers) as events
    returning seq
  ),
  counted as (
    update live_head set seq = head + (select count(*) from numbered) where exists (select from numbered)
  )
  select (select count(*)::int from taken),
         coalesce((select jsonb_agg(taken.payload order by taken.id) from taken where topic = 'mail'), '[]'),
         coalesce((select jsonb_agg(jsonb_build_object('notice', told.id, 'kind', told.kind, 'user', told.user_id) order by told.id)
                     from told), '[]');
end $$;
-- Tells a person something, in the transaction of what it tells: a notice in their list, and a row in the outbox for
-- live pages and mail.
create or replace function tell(p_user uuid, p_kind text, p_message text, p_route text, p_ref uuid default null)
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
create or replace function audit_payments()
returns table (name text, checked bigint, wrong bigint) language sql stable as $$
  select 'every card payment credited its coins once', count(*),
         count(*) filter (where payments.coins <> coalesce(transfers.amount, 0)
                             or transfers.credit is distinct from case when payments.coins = 0 then null else users.account_id end)
    from payments join users on users.id = payments.user_id
    left join ledger_transfers as transfers on transfers.kind = 'coins_bought' and transfers.ref = payments.id
  union all
  select 'every credited purchase has its payment', count(*),
         count(*) filter (where (purchases.state = 'credited') <> (payments.id is not null)
                             or payments.transaction_id <> purchases.intent_id
                             or payments.amount_cents <> purchases.amount_cents)
    from purchases left join payments on payments.id = purchases.id
  union all
  select 'what cards took back is the sum of its parts', count(*),
         count(*) filter (where (payments.reversed_cents, payments.reversed_coins) is distinct from (parts.cents, parts.coins))
    from payments,
         lateral (select coalesce(sum(cents), 0)::bigint as cents, coalesce(sum(coins), 0)::bigint as coins
                    from payment_reversals where payment_id = payments.id) as parts
  union all
  select 'every reversal moved its coins or owes them', count(*), count(*) filter (where coins <> booked.total)
    from payment_reversals,
         lateral (select coalesce((select sum(case kind when 'card_reversed' then amount else -amount end)
                                     from ledger_transfers where ref = payment_reversals.id
                                      and kind in ('card_reversed', 'coins_bought')), 0)
                       + coalesce((select amount from ledger_debts where ref = payment_reversals.id), 0) as total) as booked
$$;
-- The open purchase of this package by this person; made now if there is none.
create or replace function begin_purchase(p_id uuid, p_user uuid, p_coins bigint, p_cents bigint, p_mode card_mode)
returns uuid language plpgsql as $$
declare
  open_one uuid;
begin
  loop
    insert into purchases (id, user_id, coins, amount_cents, mode) values (p_id, p_user, p_coins, p_cents, p_mode)
    on conflict (user_id, amount_cents) where state = 'open' do nothing;
    if found then
      return p_id;
    end if;
    select id into open_one from purchases where user_id = p_user and amount_cents = p_cents and state = 'open';
    if found then
      return open_one;
    end if;
  end loop;
end $$;

-- Books what the provider says about a purchase whose money arrived: its coins, once, and whatever the provider has
-- taken back since (decisions.md §3). `p_seen` is how many reversals were booked when the provider was asked: if
-- another was booked meanwhile this answer is old, nothing happens, and 'stale' says to ask again. `p_back_cents` is
-- what the provider holds back now, refunds and disputes together. Answers 'credited' or 'stale'.
create or replace function settle_purchase(
  p_purchase uuid, p_seen bigint, p_brand text, p_last4 text, p_back_cents bigint, p_disputed boolean)
returns text language plpgsql as $$
declare
  bought purchases;
  buyer users;
begin
  -- Who is being deleted is deleted before or after this, never meanwhile.
  select users.* into strict buyer from users
   where id = (select user_id from purchases where id = p_purchase) for share;
  select * into strict bought from purchases where id = p_purchase for no key update;
  if (select count(*) from payment_reversals where payment_id = p_purchase) <> p_seen then
    return 'stale';
  end if;
  if bought.state <> 'credited' then
    perform credit_purchase(bought, buyer, p_brand, p_last4);
  end if;
  perform reverse_payment(p_purchase, buyer, least(p_back_cents, bought.amount_cents), p_disputed);
  return 'credited';
end $$;

-- The coins of a package, from card clearing to the buyer. Who is gone by now gets none: the money is written down and
-- the Admin must return it.
create or replace function credit_purchase(p_bought purchases, p_buyer users, p_brand text, p_last4 text)
returns void language plpgsql as $$
declare
  gone boolean := p_buyer.deleted_at is not null;
begin
  insert into payments (id, user_id, transaction_id, mode, amount_cents, coins, card_brand, card_last4)
  values (p_bought.id, p_bought.user_id, p_bought.intent_id, p_bought.mode, p_bought.amount_cents,
          case when gone then 0 else p_bought.coins end, p_brand, p_last4);
  update purchases set state = 'credited', closed_at = clock_time() where id = p_bought.id;

  if gone then
    perform tell_admins_of_payment('payment_unclaimed', format(
      '%s paid %s by card for an account that was deleted. No coins were given; return the money at the card processor (%s).',
      p_buyer.name, dollars_in_words(p_bought.amount_cents), p_bought.intent_id), p_bought.id);
    return;
  end if;
  perform transfer('coins_bought', p_bought.id, card_clearing_account(), p_buyer.account_id, p_bought.coins);
  perform tell(p_buyer.id, 'coins_bought', format('You bought %s for %s.',
    coins_in_words(p_bought.coins), dollars_in_words(p_bought.amount_cents)), '/dashboard/paymenthistory', p_bought.id);
end $$;

-- Brings the coins in line with what the provider holds back now: takes them in proportion, in the buyer's favour where
-- it does not divide; gives them back when a dispute was won.
create or replace function reverse_payment(p_payment uuid, p_buyer users, p_back_cents bigint, p_disputed boolean)
returns void language plpgsql as $$
declare
  paid payments;
  back_coins bigint;
  more_cents bigint;
  more_coins bigint;
  reversal uuid := gen_random_uuid();
  still_owed bigint := 0;
begin
  select * into strict paid from payments where id = p_payment for no key update;
  more_cents := p_back_cents - paid.reversed_cents;
  if more_cents = 0 then
    return;
  end if;
  back_coins := paid.coins * p_back_cents / paid.amount_cents;
  more_coins := back_coins - paid.reversed_coins;
  if more_coins < 0 and p_buyer.deleted_at is not null then
    more_coins := 0;
  end if;

  insert into payment_reversals (id, payment_id, cents, coins) values (reversal, p_payment, more_cents, more_coins);
  update payments set reversed_cents = p_back_cents, reversed_coins = reversed_coins + more_coins,
    status = case when p_back_cents = 0 then 'paid' when p_disputed then 'disputed' else 'refunded' end::payment_status
   where id = p_payment;

  if more_coins > 0 then
    select taken_back.owed into strict still_owed
      from reverse_purchase(reversal, p_buyer.account_id, more_coins) as taken_back;
  elsif more_coins < 0 then
    perform transfer('coins_bought', reversal, card_clearing_account(), p_buyer.account_id, -more_coins);
  end if;
  perform tell_of_reversal(paid, p_buyer, more_cents, more_coins, still_owed, p_disputed);
end $$;

create or replace function tell_of_reversal(
  p_paid payments, p_buyer users, p_cents bigint, p_coins bigint, p_owed bigint, p_disputed boolean)
returns void language plpgsql as $$
declare
  sum_text text := dollars_in_words(abs(p_cents));
  what text := case when p_cents < 0 then 'came back after a refund or dispute did not stand'
                    when p_disputed then 'was disputed with the card''s bank' else 'was refunded' end;
  owed_text text := case when p_owed = 0 then '' else format(' %s of them were already spent and are owed.', p_owed) end;
begin
  perform tell_admins_of_payment('payment_reversed', format('%s of %s''s card payment %s. %s %s.%s',
    sum_text, p_buyer.name, what, coins_in_words(abs(p_coins)),
    case when p_cents < 0 then 'were given back' else 'were taken back' end, owed_text), p_paid.id);
  if p_buyer.deleted_at is null then
    perform tell(p_buyer.id, 'payment_reversed', format('%s of your card payment %s. %s %s.%s',
      sum_text, what, coins_in_words(abs(p_coins)),
      case when p_cents < 0 then 'were given back' else 'were taken back' end,
      case when p_owed = 0 then '' else format(' %s of them were already spent; coins you get next pay for those first.', p_owed) end),
      '/dashboard/paymenthistory', p_paid.id);
  end if;
end $$;

-- The provider has money for this purchase that does not fit what was ordered: nothing is credited, and the Admin is
-- told once.
create or replace function refuse_purchase(p_purchase uuid) returns void language plpgsql as $$
declare
  refused purchases;
begin
  update purchases set state = 'refused', closed_at = clock_time()
   where id = p_purchase and state in ('open', 'closed') returning * into refused;
  if found then
    perform tell_admins_of_payment('payment_refused', format(
      'The card payment %s does not fit what was ordered (%s for %s). Nothing was credited; look at it at the card processor.',
      refused.intent_id, coins_in_words(refused.coins), dollars_in_words(refused.amount_cents)), refused.id);
  end if;
end $$;

create or replace function tell_admins_of_payment(p_kind text, p_message text, p_ref uuid)
returns void language plpgsql as $$
begin
  perform tell(id, p_kind, p_message, '/dashboard/payments', p_ref) from users
    where role = 'Admin' and deleted_at is null order by id;
end $$;
create or replace trigger admin_record_immutable before update or delete on admin_record
  for each row execute function refuse_change();
create or replace trigger admin_record_no_truncate before truncate on admin_record
  for each statement execute function refuse_change();

-- Writes down what an admin did, in the transaction in which they did it. One at a time: the chain has one end. Call it
-- last, so that nothing is waited for while the end is held.
create or replace function record_act(p_admin uuid, p_act text, p_subject uuid, p_details jsonb default '{}')
returns void language plpgsql as $$
declare
  last admin_record;
  number bigint;
  written text;
begin
  perform pg_advisory_xact_lock(7461070);
  select * into last from admin_record order by id desc limit 1;
  number := coalesce(last.id, 0) + 1;
  written := jsonb_build_object('number', number, 'time', to_char(clock_time() at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
    'admin', p_admin, 'act', p_act, 'subject', p_subject, 'details', p_details)::text;
  insert into admin_record (id, content, hash)
  values (number, written, sha256(coalesce(last.hash, '\x') || convert_to(written, 'UTF8')));
end $$;

create or replace function audit_record()
returns table (name text, checked bigint, wrong bigint) language sql stable as $$
  select 'the record of what admins did is an unbroken chain', count(*),
         count(*) filter (where id <> position or hash <> sha256(coalesce(previous, '\x') || convert_to(content, 'UTF8')))
    from (select *, row_number() over (order by id) as position, lag(hash) over (order by id) as previous
            from admin_record) as chain
$$;
-- Where every coin of the marketplace is, from what moved it, in one snapshot. `fresh` is how many transfers had to be
-- read for it.
create or replace function books()
returns table (people bigint, escrow bigint, hold bigint, debts bigint, bonus bigint, bought bigint, swept bigint,
               paid_out bigint, fresh bigint) language sql stable parallel safe as $$
  with moved as (
    select coalesce(sum(amount) filter (where kind = 'sign_up_bonus'), 0) as bonus,
           coalesce(sum(amount) filter (where kind = 'coins_bought'), 0) as bought,
           coalesce(sum(amount) filter (where kind = 'card_reversed'), 0) as reversed,
           coalesce(sum(amount) filter (where kind = 'debt_paid'), 0) as debt_paid,
           coalesce(sum(amount) filter (where kind = 'task_funded'), 0) as funded,
           coalesce(sum(amount) filter (where kind = 'task_fee'), 0) as fees,
           coalesce(sum(amount) filter (where kind = 'submission_paid'), 0) as paid,
           coalesce(sum(amount) filter (where kind in ('slot_refunded', 'task_refunded')), 0) as refunded,
           coalesce(sum(amount) filter (where kind = 'withdrawal_held'), 0) as held,
           coalesce(sum(amount) filter (where kind = 'withdrawal_paid'), 0) as paid_out,
           coalesce(sum(amount) filter (where kind = 'withdrawal_released'), 0) as released,
           coalesce(sum(amount) filter (where kind = 'swept_to_house'), 0) as swept,
           coalesce(sum(sums.fresh), 0)::bigint as fresh
      from ledger_sums_now() as sums
  )
  select (bonus + bought - reversed - debt_paid - funded - fees + paid + refunded - held + released - swept)::bigint,
         (funded - paid - refunded)::bigint,
         (held - paid_out - released)::bigint,
         (select coalesce(sum(amount), 0) from ledger_debts)::bigint - debt_paid::bigint,
         bonus::bigint,
         (bought - reversed - debt_paid)::bigint,
         (swept + fees)::bigint,
         paid_out::bigint,
         fresh
    from moved
$$;

-- By how much the balances of all accounts differ from what moved there; 0 when the books balance.
create or replace function books_difference()
returns table (difference bigint, accounts bigint) language sql stable parallel safe as $$
  select abs(held.people - books.people) + abs(held.escrow - books.escrow) + abs(held.hold - books.hold), held.accounts
    from books(), (
      select coalesce(sum(balance) filter (where kind = 'person'), 0)::bigint as people,
             coalesce(sum(balance) filter (where kind = 'escrow'), 0)::bigint as escrow,
             coalesce(sum(balance) filter (where kind = 'hold'), 0)::bigint as hold,
             count(*) as accounts
        from ledger_accounts
    ) as held
$$;
-- The reward of accepted work leaves the task's escrow for the worker. Status, coins and the notice change together or
-- not at all; only the first decision on a pending submission comes here.
create or replace function pay_submission(p_work submissions, p_message text) returns void language plpgsql as $$
begin
  perform transfer('submission_paid', p_work.id,
    (select escrow_id from tasks where id = p_work.task_id),
    (select account_id from users where id = p_work.worker_id), p_work.reward);
  perform tell(p_work.worker_id, 'submission_approved', p_message, '/dashboard/approved-task', p_work.id);
end $$;

-- The buyer accepts the work. The same answer again reports the first result; another answer after it is refused.
create or replace function approve_submission(p_submission uuid, p_buyer uuid)
returns table (matched int, modified int) language plpgsql as $$
declare
  work submissions;
begin
  update submissions set status = 'approved', decided_at = clock_time(), decided_by = 'buyer'
   where id = p_submission and buyer_id = p_buyer and status = 'pending'
   returning * into work;
  if not found then
    return query select 1, decided_already(p_submission, p_buyer, 'approved');
    return;
  end if;

  perform pay_submission(work, format('Your work on "%s" was approved. You earned %s.',
    (select title from tasks where id = work.task_id), coins_in_words(work.reward)));
  return query select 1, 1;
end $$;

-- Answers 0 (nothing changed) when this decision was made before; refuses when the work is not there, not this
-- buyer's, or was decided the other way.
create or replace function decided_already(p_submission uuid, p_buyer uuid, p_decision submission_status)
returns int language plpgsql as $$
declare
  decided submission_status;
begin
  select status into decided from submissions where id = p_submission and buyer_id = p_buyer;
  if not found then
    perform refuse('submission_not_found', 'This submission does not exist.');
  elsif decided <> p_decision then
    perform refuse('already_decided', format('This submission was already %s.', decided));
  end if;
  return 0;
end $$;
-- Nobody reviewed the work in time: it is approved, the worker is paid, and both are told. Answers whether it was this
-- call that decided; the buyer or another instance may have been first.
create or replace function approve_due_submission(p_submission uuid) returns boolean language plpgsql as $$
declare
  work submissions;
  task_title text;
begin
  update submissions set status = 'approved', decided_at = clock_time(), decided_by = 'time'
   where id = p_submission and status = 'pending' and review_by <= clock_time()
   returning * into work;
  if not found then
    return false;
  end if;
  select title into strict task_title from tasks where id = work.task_id;

  perform pay_submission(work, format('Your work on "%s" was approved, because nobody reviewed it in time. You earned %s.',
    task_title, coins_in_words(work.reward)));
  perform tell(work.buyer_id, 'approved_by_time',
    format('Work by %s on "%s" was approved by itself, because the time to review it is over. It earned %s.',
      (select name from users where id = work.worker_id), task_title, coins_in_words(work.reward)),
    '/dashboard/task-to-review?status=approved', work.id);
  return true;
end $$;
-- Somebody leaves (decisions.md §2). The caller holds the person's record, and locks the tasks and submissions
-- concerned first, in order of their ids, so that no decision made at the same time waits crosswise.
create or replace function lock_work_of(p_user uuid) returns void language plpgsql as $$
begin
  perform from tasks
    where id in (select id from tasks where buyer_id = p_user and closed_at is null
                 union select task_id from submissions where status = 'pending' and (buyer_id = p_user or worker_id = p_user))
    order by id for no key update;
  perform from submissions where status = 'pending' and (buyer_id = p_user or worker_id = p_user)
    order by id for no key update;
end $$;

-- Pending work on a leaving buyer's tasks is paid: the worker is not the one who left.
create or replace function pay_pending_work(p_buyer uuid) returns int language plpgsql as $$
declare
  work submissions;
  paid int := 0;
begin
  for work in select * from submissions where buyer_id = p_buyer and status = 'pending' order by id loop
    update submissions set status = 'approved', decided_at = clock_time(), decided_by = 'buyer_left' where id = work.id;
    perform pay_submission(work, format('The buyer of "%s" left, so your work was paid. You earned %s.',
      (select title from tasks where id = work.task_id), coins_in_words(work.reward)));
    paid := paid + 1;
  end loop;
  return paid;
end $$;

-- Slots that a leaving worker's pending work held are free again; on a closed task their coins go back to its buyer.
create or replace function release_pending_work(p_worker uuid) returns int language plpgsql as $$
declare
  work submissions;
  released int := 0;
begin
  for work in select * from submissions where worker_id = p_worker and status = 'pending' order by id loop
    update submissions set status = 'rejected', reason = 'The worker left.', decided_at = clock_time(), decided_by = 'worker_left'
     where id = work.id;
    perform free_slot(work.task_id, work.id);
    perform tell(work.buyer_id, 'worker_left',
      format(case when (select closed_at is null from tasks where id = work.task_id)
          then '%s left; the slot they held on "%s" is free again.'
          else '%s left; the coins of the slot they held on "%s" came back to you.' end,
        (select name from users where id = p_worker), (select title from tasks where id = work.task_id)),
      '/dashboard/my-task', work.task_id);
    released := released + 1;
  end loop;
  return released;
end $$;
-- The buyer declines the work, with a reason the worker sees. The same answer again reports the first result, and the
-- first reason stays; after an approval it is refused. Lock order: the task, then the submission.
create or replace function reject_submission(p_submission uuid, p_buyer uuid, p_reason text)
returns int language plpgsql as $$
declare
  work submissions;
  task_title text;
begin
  select title into task_title from tasks
   where id = (select task_id from submissions where id = p_submission and buyer_id = p_buyer)
   for no key update;
  update submissions set status = 'rejected', reason = p_reason, decided_at = clock_time(), decided_by = 'buyer'
   where id = p_submission and buyer_id = p_buyer and status = 'pending'
   returning * into work;
  if not found then
    perform decided_already(p_submission, p_buyer, 'rejected');
    return 1;
  end if;

  perform free_slot(work.task_id, work.id);
  perform tell(work.worker_id, 'submission_rejected',
    format('Your work on "%s" was not accepted.%s', task_title,
      case when p_reason = '' then '' else ' Reason: ' || p_reason end),
    '/dashboard/my-submisson?status=rejected', work.id);
  return 1;
end $$;
-- A worker hands in work: one slot of the task is taken atomically, so that no two workers ever get the last one.
-- What the worker believed about the pay is checked against the task. No coin moves (decisions.md §3).
create or replace function submit_work(
  p_id uuid, p_task uuid, p_worker uuid, p_text text, p_reward bigint, p_buyer_email_key text, p_review interval)
returns void language plpgsql as $$
declare
  task tasks;
  worker_name text;
begin
  select name into worker_name from users
   where id = p_worker and role = 'Worker' and deleted_at is null for share;
  if not found then
    perform refuse('role_not_allowed', 'This is only for Workers.');
  end if;

  select * into task from take_slot(p_task, p_worker, p_reward, p_buyer_email_key);
  if not found then
    perform why_not_submit(p_task, p_worker, p_reward);
  end if;

  insert into submissions (id, task_id, worker_id, buyer_id, reward, text, review_by)
  values (p_id, p_task, p_worker, task.buyer_id, task.reward, p_text, clock_time() + p_review)
  on conflict (task_id, worker_id) where status <> 'rejected' do nothing;
  if not found then
    perform refuse('already_submitted', 'You already have work on this task.');
  end if;
  perform tell(task.buyer_id, 'work_received',
    format('%s submitted work for "%s".', worker_name, task.title), '/dashboard/task-to-review', p_id);
end $$;

-- Says which rule kept a worker from a slot.
create or replace function why_not_submit(p_task uuid, p_worker uuid, p_reward bigint)
returns void language plpgsql as $$
declare
  task tasks;
begin
  select * into task from tasks where id = p_task;
  if not found or task.deleted_at is not null then
    perform refuse('task_not_found', 'Task not found!');
  elsif task.buyer_id = p_worker then
    perform refuse('own_task', 'You cannot work on your own task.');
  elsif exists (select from submissions where task_id = p_task and worker_id = p_worker and status <> 'rejected') then
    perform refuse('already_submitted', 'You already have work on this task.');
  elsif clock_time() >= task.closes_at then
    perform refuse('deadline_passed', 'The deadline of this task has passed.');
  elsif task.closed_at is not null then
    perform refuse('task_closed', 'This task is closed.');
  elsif task.slots_left = 0 then
    perform refuse('task_filled', 'Task already completed');
  end if;
  if p_reward is null or p_reward = task.reward then
    perform refuse('task_changed', 'This task changed meanwhile, or is not this buyer''s. Look at it again before you submit.');
  end if;
  perform refuse('task_changed', format('This task pays %s. Look at it again before you submit.', coins_in_words(task.reward)));
end $$;
-- When a buyer is warned of work that approves itself: a day before, or halfway where the window is shorter than two.
create or replace function warn_at(p_created_at timestamptz, p_review_by timestamptz)
returns timestamptz language sql immutable as $$
  select p_review_by - least(interval '1 day', (p_review_by - p_created_at) / 2)
$$;

-- Warns a buyer once of all their work that approves itself soon. Answers whether there was any.
create or replace function warn_buyer(p_buyer uuid) returns boolean language plpgsql as $$
declare
  soon bigint;
  first uuid;
  title text;
begin
  with due as (
    select id from submissions
     where buyer_id = p_buyer and status = 'pending' and warned_at is null
       and review_by > clock_time() and warn_at(created_at, review_by) <= clock_time()
     order by id for update skip locked
  ), warned as (
    update submissions set warned_at = clock_time() where id in (select id from due) returning id, task_id, review_by
  )
  select count(*), (array_agg(id order by review_by))[1],
         (array_agg((select tasks.title from tasks where tasks.id = warned.task_id) order by review_by))[1]
    into soon, first, title from warned;
  if soon = 0 then
    return false;
  end if;
  perform tell(p_buyer, 'review_near', case when soon = 1
      then format('Work on "%s" approves itself soon. Review it now.', title)
      else format('%s submissions approve themselves soon, the first on "%s". Review them now.', soon, title) end,
    '/dashboard/task-to-review', first);
  return true;
end $$;
-- A buyer posts a task: the task exists and its whole cost lies in its escrow, or neither (decisions.md §3).
create or replace function add_task(
  p_id uuid, p_buyer uuid, p_title text, p_detail text, p_submission_info text, p_image_url text,
  p_slots int, p_reward bigint, p_completion_date date, p_zone text, p_fee bigint)
returns void language plpgsql as $$
declare
  account bigint;
  escrow bigint;
begin
  select account_id into account from users
   where id = p_buyer and role = 'Buyer' and deleted_at is null for share;
  if not found then
    perform refuse('role_not_allowed', 'This is only for Buyers.');
  end if;
  if p_completion_date < (clock_time() at time zone p_zone)::date then
    perform refuse('deadline_passed', 'The deadline must be today or later.');
  end if;

  escrow := open_account('escrow');
  insert into tasks (id, buyer_id, title, detail, submission_info, image_url, slots, slots_left, reward,
                     completion_date, closes_at, escrow_id)
  values (p_id, p_buyer, p_title, p_detail, p_submission_info, p_image_url, p_slots, p_slots, p_reward,
          p_completion_date, (p_completion_date + 1)::timestamp at time zone p_zone, escrow);
  perform transfer('task_funded', p_id, account, escrow, p_slots * p_reward);
  if p_fee > 0 then
    perform transfer('task_fee', p_id, account, house_account(), p_fee);
  end if;
  perform changed(p_buyer, p_id);
end $$;
create or replace function audit_tasks()
returns table (name text, checked bigint, wrong bigint) language sql stable as $$
  with work as (
    select task_id,
           count(*) filter (where status = 'pending') as pending,
           count(*) filter (where status = 'approved') as approved
      from submissions group by task_id
  ),
  held as (
    select tasks.*, accounts.balance, accounts.kind, coalesce(work.pending, 0) as pending, coalesce(work.approved, 0) as approved
      from tasks join ledger_accounts as accounts on accounts.id = tasks.escrow_id
      left join work on work.task_id = tasks.id
  )
  select 'every escrow holds the pay of its free slots and its pending work', count(*),
         count(*) filter (where kind <> 'escrow' or balance <> reward * (slots_left + pending))
    from held
  union all
  select 'slots left of an open task are those nobody holds', count(*),
         count(*) filter (where slots_left <> slots - pending - approved)
    from held where closed_at is null
  union all
  select 'nobody was paid beyond the slots of a task', count(*), count(*) filter (where pending + approved > slots)
    from held
  union all
  select 'every approved submission was paid its reward, once', count(*), count(*) filter (where paid.amount is distinct from submissions.reward)
    from submissions left join ledger_transfers as paid on paid.kind = 'submission_paid' and paid.ref = submissions.id
   where submissions.status = 'approved'
  union all
  select 'no payment without an approved submission', count(*), count(*) filter (where submissions.id is null)
    from ledger_transfers as paid left join submissions on submissions.id = paid.ref and submissions.status = 'approved'
   where paid.kind = 'submission_paid'
  union all
  select 'every escrow belongs to one task', count(*), count(*) filter (where tasks.id is null)
    from ledger_accounts as accounts left join tasks on tasks.escrow_id = accounts.id where accounts.kind = 'escrow'
$$;
-- Closes an open task: nobody can take a slot any more, and the coins of slots that nobody holds go back to the buyer.
-- Pending work keeps its coins in escrow until it is decided. Answers the coins refunded. The caller holds the task's
-- row lock.
create or replace function close_task(p_task uuid, p_because closing_reason)
returns bigint language plpgsql as $$
declare
  task tasks;
  account bigint;
  refund bigint;
begin
  select * into strict task from tasks where id = p_task for no key update;
  if task.closed_at is not null then
    return 0;
  end if;
  refund := task.slots_left * task.reward;
  update tasks set closed_at = clock_time(), closed_because = p_because, slots_left = 0 where id = p_task;
  if refund > 0 then
    select account_id into strict account from users where id = task.buyer_id;
    perform transfer('task_refunded', p_task, task.escrow_id, account, refund);
  end if;
  return refund;
end $$;
-- Deletes a task, for its buyer or an Admin. It leaves the lists; its history stays. Coins of slots that nobody holds
-- go back; pending work stays in the review list and is paid or refunded when it is decided (decisions.md §3).
create or replace function delete_task(p_task uuid, p_viewer uuid, p_is_admin boolean)
returns table (deleted int, completed boolean, refund bigint) language plpgsql as $$
declare
  task tasks;
  waiting uuid;
begin
  select * into task from tasks where id = p_task for no key update;
  if not found or (task.buyer_id <> p_viewer and not p_is_admin) then
    perform refuse('task_not_found', 'Task not found!');
  end if;
  select balance = 0 into strict completed from ledger_accounts where id = task.escrow_id;
  if task.deleted_at is not null then
    return query select 0, completed, 0::bigint;
    return;
  end if;

  refund := close_task(p_task, 'deleted');
  update tasks set deleted_at = clock_time() where id = p_task;
  perform changed(task.buyer_id, p_task);

  if refund > 0 then
    perform tell(task.buyer_id, 'task_refunded', case when p_is_admin and task.buyer_id <> p_viewer
        then format('An admin deleted your task "%s"; %s came back to you.', task.title, coins_in_words(refund))
        else format('You deleted "%s"; %s came back to you.', task.title, coins_in_words(refund)) end,
      '/dashboard/my-task', p_task);
  elsif p_is_admin and task.buyer_id <> p_viewer then
    perform tell(task.buyer_id, 'task_deleted', format('An admin deleted your task "%s".', task.title),
      '/dashboard/my-task', p_task);
  end if;
  if p_is_admin then
    for waiting in select worker_id from submissions where task_id = p_task and status = 'pending' order by id loop
      perform tell(waiting, 'task_deleted',
        format('"%s" was closed by an admin. Your submitted work will still be reviewed.', task.title),
        '/dashboard/my-submisson', p_task);
    end loop;
    perform record_act(p_viewer, 'task_deleted', p_task, jsonb_build_object('refund', refund));
  end if;
  return query select 1, completed, refund;
end $$;
-- The deadline has passed: the task closes, coins of slots that nobody holds go back, and the buyer is told. Answers
-- whether it was this call that closed it; a deletion or another instance may have been first.
create or replace function close_due_task(p_task uuid) returns boolean language plpgsql as $$
declare
  task tasks;
  refund bigint;
begin
  select * into task from tasks
   where id = p_task and closed_at is null and closes_at <= clock_time() for no key update;
  if not found then
    return false;
  end if;
  refund := close_task(p_task, 'deadline');
  perform tell(task.buyer_id, 'task_closed', case when refund > 0
      then format('"%s" reached its deadline and is closed; %s came back to you.', task.title, coins_in_words(refund))
      else format('"%s" reached its deadline and is closed.', task.title) end,
    '/dashboard/my-task', p_task);
  return true;
end $$;
-- A buyer leaves: their open tasks close, and the coins of slots that nobody holds come back to their account, from
-- where the house takes them. The caller holds the person's record and the tasks' row locks. Answers how many closed.
create or replace function close_tasks_of(p_buyer uuid) returns int language plpgsql as $$
declare
  task uuid;
  closed int := 0;
begin
  for task in select id from tasks where buyer_id = p_buyer and closed_at is null order by id loop
    perform close_task(task, 'buyer_left');
    closed := closed + 1;
  end loop;
  return closed;
end $$;
-- Takes one slot of a task for this worker, atomically, if every rule allows it: a slot is left, the task is open, its
-- deadline has not passed, it is not the worker's own, and its pay and buyer are what the worker believes (null: not
-- said). Answers no row otherwise.
create or replace function take_slot(p_task uuid, p_worker uuid, p_reward bigint, p_buyer_email_key text)
returns setof tasks language sql as $$
  update tasks set slots_left = slots_left - 1
   where id = p_task and slots_left > 0 and closed_at is null and clock_time() < closes_at and buyer_id <> p_worker
     and (p_reward is null or reward = p_reward)
     and (p_buyer_email_key is null or exists (select from users where id = buyer_id and email_key = p_buyer_email_key))
   returning *
$$;

-- Frees the slot that a piece of work held: while the task is open somebody else can take it; afterwards its coins go
-- back to the buyer. `p_ref` names the work, once. Takes the task's row lock, which the caller may hold already.
create or replace function free_slot(p_task uuid, p_ref uuid) returns void language plpgsql as $$
declare
  task tasks;
begin
  select * into strict task from tasks where id = p_task for no key update;
  if task.closed_at is null then
    update tasks set slots_left = slots_left + 1 where id = task.id;
  else
    perform transfer('slot_refunded', p_ref, task.escrow_id,
      (select account_id from users where id = task.buyer_id), task.reward);
  end if;
end $$;
-- The words of a task are known as soon as it is. In order, so that two who bring the same new words do not wait for
-- each other in a circle; words that no task has any more are no harm.
create or replace function keep_task_words() returns trigger language plpgsql as $$
begin
  insert into task_words select word from unnest(tsvector_to_array(new.search)) as word order by word
  on conflict do nothing;
  return null;
end $$;

create or replace trigger task_words_kept after insert or update of title, detail on tasks
  for each row execute function keep_task_words();
create or replace function audit_users()
returns table (name text, checked bigint, wrong bigint) language sql stable as $$
  select 'every person has an account of their own', count(*), count(*) filter (where accounts.kind <> 'person')
    from users join ledger_accounts as accounts on accounts.id = users.account_id
  union all
  select 'every account of a person belongs to somebody', count(*), count(*) filter (where users.id is null)
    from ledger_accounts as accounts left join users on users.account_id = accounts.id where accounts.kind = 'person'
  union all
  select 'who was deleted has no coins', count(*), count(*) filter (where accounts.balance <> 0)
    from users join ledger_accounts as accounts on accounts.id = users.account_id where users.deleted_at is not null
  union all
  select 'nothing waits for who was deleted', count(*), count(*) filter (where
         exists (select from tasks where buyer_id = users.id and closed_at is null)
         or exists (select from submissions where buyer_id = users.id and status = 'pending')
         or exists (select from submissions where worker_id = users.id and status = 'pending')
         or exists (select from withdrawals where worker_id = users.id and status = 'pending'))
    from users where users.deleted_at is not null
$$;
-- Deletes a person (decisions.md §2), all of it or nothing: their sessions stop counting with deleted_at, their tasks
-- close, pending work on them is paid, slots their own pending work held are released, their pending withdrawals are
-- cancelled, and what coins remain go to the house. Their history stays, under the id. Answers 1 once and 0 after that.
-- Lock order: Admins, the person, tasks, submissions, withdrawals, escrows and holds, accounts.
create or replace function delete_user(p_user uuid, p_admin uuid) returns int language plpgsql as $$
declare
  person users;
  coins bigint;
begin
  perform lock_admins(p_admin);
  select * into person from users where id = p_user for no key update;
  if not found then
    perform refuse('user_not_found', 'User not found or already deleted.');
  elsif person.deleted_at is not null then
    return 0;
  elsif person.role = 'Admin' then
    perform refuse_losing_admin(p_user, p_admin);
  end if;

  perform lock_work_of(p_user);
  perform close_tasks_of(p_user);
  perform pay_pending_work(p_user);
  perform release_pending_work(p_user);
  perform cancel_withdrawals(p_user);
  update users set deleted_at = clock_time() where id = p_user;

  select balance into strict coins from ledger_accounts where id = person.account_id for no key update;
  if coins > 0 then
    perform transfer('swept_to_house', p_user, person.account_id, house_account(), coins);
  end if;
  perform record_act(p_admin, 'user_deleted', p_user, jsonb_build_object('coins_swept', coins));
  return 1;
end $$;

-- What that would do now, in figures, for the confirmation.
create or replace function deletion_preview(p_user uuid)
returns table (tasks_closed bigint, submissions_paid bigint, coins_paid bigint, slots_released bigint,
               withdrawals_cancelled bigint, coins_swept bigint) language sql stable as $$
  select mine.tasks, paid.work, paid.coins, released.work, cancelled.requests,
         accounts.balance + mine.refund + cancelled.coins - least(accounts.debt, mine.refund + cancelled.coins)
    from users join ledger_accounts as accounts on accounts.id = users.account_id
    cross join lateral (select count(*) as tasks, coalesce(sum(slots_left * reward), 0)::bigint as refund
                          from tasks where buyer_id = users.id and closed_at is null) as mine
    cross join lateral (select count(*) as work, coalesce(sum(reward), 0)::bigint as coins
                          from submissions where buyer_id = users.id and status = 'pending') as paid
    cross join lateral (select count(*) as work from submissions where worker_id = users.id and status = 'pending') as released
    cross join lateral (select count(*) as requests, coalesce(sum(coins), 0)::bigint as coins
                          from withdrawals where worker_id = users.id and status = 'pending') as cancelled
   where users.id = p_user and users.deleted_at is null
$$;
-- Registers an identity as a person of the marketplace with their starting coins (decisions.md §3): Worker 10,
-- Buyer 50 and a wallet of 100, an Admin none. A second call answers false and changes nothing.
create or replace function register_user(
  p_id uuid, p_role user_role, p_name text, p_email text, p_email_key text, p_image text)
returns boolean language plpgsql as $$
declare
  account bigint;
  coins bigint := case p_role when 'Worker' then 10 when 'Buyer' then 50 else 0 end;
begin
  -- Two first calls at once: the second waits here and then finds the record.
  perform from identities where id = p_id for no key update;
  if exists (select from users where id = p_id) then
    return false;
  end if;

  account := open_account('person');
  insert into users (id, role, name, email, email_key, image, wallet, account_id)
  values (p_id, p_role, p_name, p_email, p_email_key, p_image, case p_role when 'Buyer' then 100 else 0 end, account);
  if coins > 0 then
    perform transfer('sign_up_bonus', p_id, house_account(), account, coins);
  end if;
  return true;
end $$;
-- Whatever can take away an Admin happens one at a time: it holds the records of all Admins. Refuses who is none (any
-- more). Two Admins who demote or delete each other at once leave one.
create or replace function lock_admins(p_admin uuid) returns void language plpgsql as $$
begin
  perform from users where role = 'Admin' and deleted_at is null order by id for no key update;
  if not exists (select from users where id = p_admin and role = 'Admin' and deleted_at is null) then
    perform refuse('role_not_allowed', 'This is only for Admins.');
  end if;
end $$;

-- The last Admin stays, and nobody takes the role from themselves (decisions.md §2). The caller holds the Admins.
create or replace function refuse_losing_admin(p_user uuid, p_admin uuid) returns void language plpgsql as $$
begin
  if not exists (select from users where role = 'Admin' and deleted_at is null and id <> p_user) then
    perform refuse('last_admin', 'The last Admin stays: make somebody else an Admin first.');
  elsif p_user = p_admin then
    perform refuse('yourself', 'Another Admin has to do this for you.');
  end if;
end $$;

-- Gives a person another role, and tells them. Answers 1, or 0 when they had it already.
create or replace function update_role(p_user uuid, p_role user_role, p_admin uuid) returns int language plpgsql as $$
declare
  person users;
begin
  perform lock_admins(p_admin);
  select * into person from users where id = p_user and deleted_at is null for no key update;
  if not found then
    perform refuse('user_not_found', 'This user does not exist.');
  elsif person.role = p_role then
    return 0;
  elsif person.role = 'Admin' then
    perform refuse_losing_admin(p_user, p_admin);
  end if;
  update users set role = p_role where id = p_user;
  perform tell(p_user, 'role_changed', format('Your role is now %s.', p_role), '/dashboard', p_user);
  perform record_act(p_admin, 'role_changed', p_user, jsonb_build_object('from', person.role, 'to', p_role));
  return 1;
end $$;
create or replace function audit_withdrawals()
returns table (name text, checked bigint, wrong bigint) language sql stable as $$
  select 'every hold holds the coins of its pending request, and nothing after the decision', count(*),
         count(*) filter (where accounts.kind <> 'hold' or accounts.balance <> case when status = 'pending' then coins else 0 end)
    from withdrawals join ledger_accounts as accounts on accounts.id = withdrawals.hold_id
  union all
  select 'every approved withdrawal was paid out once, and no other', count(*),
         count(*) filter (where (status = 'approved') is distinct from coalesce(paid.amount = coins, false))
    from withdrawals left join ledger_transfers as paid on paid.kind = 'withdrawal_paid' and paid.ref = withdrawals.id
  union all
  select 'every hold belongs to one request', count(*), count(*) filter (where withdrawals.id is null)
    from ledger_accounts as accounts left join withdrawals on withdrawals.hold_id = accounts.id where accounts.kind = 'hold'
$$;
-- An Admin decides a request, once: approved, its coins leave the hold for what was paid out; declined, with a reason,
-- they go back to the worker. The same answer again changes nothing, the other one is refused; nobody decides their
-- own. What the caller believes the request to be (null: they did not say) is checked against the record.
-- Lock order: the Admin's record, the request, its hold, the worker's account.
create or replace function decide_withdrawal(
  p_withdrawal uuid, p_admin uuid, p_decision withdrawal_status, p_reason text,
  p_email_key text, p_coins numeric, p_dollars numeric)
returns int language plpgsql as $$
declare
  request withdrawals;
  worker users;
begin
  perform from users where id = p_admin and role = 'Admin' and deleted_at is null for share;
  if not found then
    perform refuse('role_not_allowed', 'This is only for Admins.');
  end if;
  select * into request from withdrawals where id = p_withdrawal for no key update;
  if not found then
    perform refuse('withdrawal_not_found', 'This withdrawal request does not exist.');
  end if;
  select * into strict worker from users where id = request.worker_id;
  if request.worker_id = p_admin then
    perform refuse('yourself', 'Your own request is decided by another Admin.');
  elsif p_email_key <> worker.email_key or p_coins <> request.coins or p_dollars * 100 <> request.amount_cents then
    perform refuse('state_conflict', format('This request is by %s, for %s (%s). Look at it again before you decide.',
      worker.email, coins_in_words(request.coins), dollars_in_words(request.amount_cents)));
  elsif request.status = p_decision then
    return 0;
  elsif request.status <> 'pending' then
    perform refuse('already_decided', format('This request was already %s.', request.status));
  end if;

  update withdrawals set status = p_decision, reason = p_reason, decided_at = clock_time(), decided_by = p_admin
   where id = p_withdrawal;
  if p_decision = 'approved' then
    perform transfer('withdrawal_paid', p_withdrawal, request.hold_id, paid_out_account(), request.coins);
    perform tell(request.worker_id, 'withdrawal_paid',
      format('Payment Success: %s for %s was sent to your %s account %s.', dollars_in_words(request.amount_cents),
        coins_in_words(request.coins), request.payment_system, request.account_number),
      '/dashboard/withDrawal-form', p_withdrawal);
  else
    perform transfer('withdrawal_released', p_withdrawal, request.hold_id, worker.account_id, request.coins);
    perform tell(request.worker_id, 'withdrawal_declined',
      format('Your withdrawal of %s was declined; the coins are back. Reason: %s', coins_in_words(request.coins), p_reason),
      '/dashboard/withDrawal-form', p_withdrawal);
  end if;
  perform record_act(p_admin, 'withdrawal_' || p_decision, p_withdrawal,
    jsonb_build_object('coins', request.coins, 'amount_cents', request.amount_cents, 'worker', request.worker_id, 'reason', p_reason));
  return 1;
end $$;

-- A person leaves: what they asked for and nobody decided goes back to their account. Answers how many requests.
-- The caller holds the person's record.
create or replace function cancel_withdrawals(p_worker uuid) returns int language plpgsql as $$
declare
  request withdrawals;
  cancelled int := 0;
begin
  for request in select * from withdrawals where worker_id = p_worker and status = 'pending' order by id for no key update loop
    update withdrawals set status = 'cancelled', reason = 'The worker left.', decided_at = clock_time() where id = request.id;
    perform transfer('withdrawal_released', request.id, request.hold_id,
      (select account_id from users where id = p_worker), request.coins);
    cancelled := cancelled + 1;
  end loop;
  return cancelled;
end $$;
-- Where the coins of a request came from, for the Admin's eyes (docs/decisions/0006-where-coins-came-from.md).
--
-- The coins that came last leave first: from the request back through the worker's movements, what went out before is
-- passed over, what came in covers the request until it is covered. A thousand movements at most; what they do not
-- explain is `other`. Requests that came to nothing are as if they had never been.
create or replace function coins_behind(p_withdrawal uuid)
returns table (kind transfer_kind, ref uuid, coins bigint) language plpgsql stable as $$
declare
  account bigint;
  held_at bigint;
  wanted bigint;
  gone bigint := 0;
  line record;
  part bigint;
begin
  select users.account_id, withdrawals.coins, held.id into account, wanted, held_at
    from withdrawals join users on users.id = withdrawals.worker_id
    join ledger_transfers as held on held.kind = 'withdrawal_held' and held.ref = withdrawals.id
   where withdrawals.id = p_withdrawal;

  for line in
    select moves.* from (
      (select came.id, came.kind, came.ref, came.amount, true as came from ledger_transfers as came
        where came.credit = account and came.id < held_at order by came.id desc limit 1000)
      union all
      (select went.id, went.kind, went.ref, went.amount, false from ledger_transfers as went
        where went.debit = account and went.id < held_at order by went.id desc limit 1000)
    ) as moves order by moves.id desc limit 1000
  loop
    exit when wanted = 0;
    continue when line.kind = 'withdrawal_released';
    continue when line.kind = 'withdrawal_held'
      and (select status in ('declined', 'cancelled') from withdrawals where id = line.ref);
    if not line.came then
      gone := gone + line.amount;
    else
      part := least(gone, line.amount);
      gone := gone - part;
      part := least(line.amount - part, wanted);
      wanted := wanted - part;
      if part > 0 then
        kind := line.kind;
        ref := line.ref;
        coins := part;
        return next;
      end if;
    end if;
  end loop;
end $$;

-- What began as bonus coins or as purchases: a buyer's coins are a mixture in the proportion in which they came to that
-- buyer (bonus, purchases, own work). Flags are hints, not proof.
create or replace function origin_of(p_withdrawal uuid) returns jsonb language sql stable as $$
  with request as (
    select withdrawals.coins, withdrawals.worker_id, withdrawals.created_at, users.created_at as joined_at
      from withdrawals join users on users.id = withdrawals.worker_id where withdrawals.id = p_withdrawal
  ),
  behind as materialized (select kind, ref, coins from coins_behind(p_withdrawal)),
  payers as materialized (
    select buyers.id, buyers.name, buyers.email, paid.coins,
           greatest(0, extract(day from request.created_at - buyers.created_at))::int as age,
           mixture.bonus, mixture.bought, nullif(mixture.bonus + mixture.bought + mixture.worked, 0) as total
      from request cross join (
        select submissions.buyer_id, sum(behind.coins)::bigint as coins
          from behind join submissions on submissions.id = behind.ref
         where behind.kind = 'submission_paid' group by submissions.buyer_id
      ) as paid
      join users as buyers on buyers.id = paid.buyer_id
      cross join lateral (
        select coalesce((select amount from ledger_transfers where kind = 'sign_up_bonus' and ref = buyers.id), 0) as bonus,
               coalesce((select sum(amount) from ledger_transfers where kind = 'coins_bought' and credit = buyers.account_id), 0) as bought,
               coalesce((select sum(reward) from submissions where worker_id = buyers.id and status = 'approved'), 0) as worked
      ) as mixture
  ),
  parts as (
    select (select coalesce(sum(coins) filter (where kind = 'sign_up_bonus'), 0) from behind)
           + (select coalesce(sum(floor(coins * bonus / total)), 0) from payers) as bonus,
           (select coalesce(sum(coins) filter (where kind = 'coins_bought'), 0) from behind)
           + (select coalesce(sum(floor(coins * bought / total)), 0) from payers) as purchased
  )
  select jsonb_build_object(
    'byBuyer', coalesce((select jsonb_agg(jsonb_build_object(
        'name', name, 'email', email, 'coins', coins, 'accountAgeDays', age) order by coins desc, id)
      from (select * from payers order by coins desc, id limit 10) as largest), '[]'),
    'bonus', parts.bonus,
    'purchased', parts.purchased,
    'other', request.coins - parts.bonus - parts.purchased,
    'flags', to_jsonb(array_remove(array[
      case when (select count(*) from payers) < 3 then 'few_counterparties' end,
      case when request.created_at - request.joined_at < interval '7 days' or exists (select from payers where age < 7)
           then 'new_account' end,
      case when exists (
             select from sessions as mine join sessions as theirs on theirs.network = mine.network
              where mine.identity_id = request.worker_id and mine.network not in ('', 'unknown')
                and theirs.network <> '' and theirs.identity_id in (select id from payers))
           then 'shared_funding' end,
      case when parts.bonus * 2 > request.coins then 'mostly_bonus' end
    ], null)))
    from request, parts
$$;
-- A worker asks for a payout. The coins leave the spendable balance for the request's own hold at once, so that two
-- requests can never spend the same coin (decisions.md §3). With a holding time, coins earned within it stay.
-- Lock order: the person's record, their account; the hold is new.
create or replace function request_withdrawal(
  p_id uuid, p_worker uuid, p_coins bigint, p_system payment_system, p_account_number text, p_zone text,
  p_holding interval)
returns void language plpgsql as $$
declare
  worker users;
  spendable bigint;
  too_young bigint := 0;
  hold bigint;
begin
  select * into worker from users where id = p_worker and role = 'Worker' and deleted_at is null for share;
  if not found then
    perform refuse('role_not_allowed', 'This is only for Workers.');
  end if;
  select balance into strict spendable from ledger_accounts where id = worker.account_id for no key update;
  if spendable < 200 then
    perform refuse('insufficient_coins', format('Minimum 200 coins required. You have %s.', spendable));
  elsif p_coins < 200 then
    perform refuse('invalid_fields', 'Minimum withdraw amount is 200 coins.');
  elsif p_coins > spendable then
    perform refuse('insufficient_coins', 'Can''t withdraw more than available coins.');
  end if;
  if p_holding > interval '0' then
    select coalesce(sum(amount), 0) into too_young from ledger_transfers
     where credit = worker.account_id and kind = 'submission_paid' and created_at > clock_time() - p_holding;
    if p_coins > spendable - too_young then
      perform refuse('holding_time', format('Coins can be withdrawn some days after they were earned. You can withdraw %s now.',
        coins_in_words(greatest(spendable - too_young, 0))));
    end if;
  end if;

  hold := open_account('hold');
  insert into withdrawals (id, worker_id, coins, amount_cents, payment_system, account_number, hold_id, requested_on)
  values (p_id, p_worker, p_coins, p_coins * 5, p_system, p_account_number, hold,
          (clock_time() at time zone p_zone)::date);
  perform transfer('withdrawal_held', p_id, worker.account_id, hold, p_coins);
  perform tell(id, 'withdrawal_requested',
      format('%s asks for %s (%s) by %s.', worker.name, dollars_in_words(p_coins * 5), coins_in_words(p_coins), p_system),
      '/dashboard/withdraw-request', p_id)
     from users where role = 'Admin' and deleted_at is null;
  perform changed(p_worker, null);
end $$;
