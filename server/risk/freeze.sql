-- Returns whether no coins of a user may move (docs/specification/risk.md#freezes).
create or replace function is_frozen(p_user uuid) returns boolean language sql stable as $$
  select exists (select from freezes where user_id = p_user and withdrawal_id is null and ended_at is null)
$$;

-- Returns whether a withdrawal request may not be paid: it is frozen, or its worker is.
create or replace function is_withdrawal_frozen(p_withdrawal uuid) returns boolean language sql stable as $$
  select exists (select from freezes where withdrawal_id = p_withdrawal and ended_at is null)
      or is_frozen((select worker_id from withdrawals where id = p_withdrawal))
$$;

-- Locks a user's row, so that a concurrent freeze happens before or after this transaction, and returns whether the user is frozen.
-- Call it before other rows are locked.
create or replace function lock_against_freeze(p_user uuid) returns boolean language plpgsql as $$
begin
  perform from users where id = p_user for share;
  return is_frozen(p_user);
end $$;

-- Refuses to move coins of a frozen user, whom it locks as lock_against_freeze does.
create or replace function refuse_frozen(p_user uuid) returns void language plpgsql as $$
begin
  if lock_against_freeze(p_user) then
    perform refuse('account_frozen');
  end if;
end $$;

-- Returns the name of a request's worker, as the refusals to pay it show it: a payout batch has up to 500 requests.
create or replace function worker_of_withdrawal(p_withdrawal uuid) returns jsonb language sql stable as $$
  select jsonb_build_object('worker', name) from users where id = (select worker_id from withdrawals where id = p_withdrawal)
$$;

-- Refuses to pay a pending withdrawal request that is frozen. Locks its worker's row, as refuse_frozen does.
create or replace function refuse_frozen_withdrawal(p_withdrawal uuid) returns void language plpgsql as $$
declare
  request withdrawals;
begin
  select * into request from withdrawals where id = p_withdrawal;
  perform from users where id = request.worker_id for share;
  if request.status <> 'pending' then
    return;
  elsif is_frozen(request.worker_id) then
    perform refuse('account_frozen.payout', worker_of_withdrawal(p_withdrawal));
  elsif is_withdrawal_frozen(p_withdrawal) then
    perform refuse('withdrawal_frozen', worker_of_withdrawal(p_withdrawal));
  end if;
end $$;

-- Rejects transfers that take coins of a frozen user, whatever function moves them. The kind is compared here and not in a
-- condition of the trigger, which PostgreSQL parses for every statement.
create or replace function reject_frozen_debit() returns trigger language plpgsql as $$
begin
  if is_spending(new.kind) then
    if is_frozen((select id from users where account_id = new.debit)) then
      raise exception 'account % is frozen', new.debit;
    end if;
  end if;
  return new;
end $$;
create or replace trigger ledger_transfers_not_frozen before insert on ledger_transfers
  for each row execute function reject_frozen_debit();

-- Freezes a user for one cause and notifies them. Without an Admin (null) the server does it, and the reason is a key of
-- contract/freeze-reasons.en.ts, which is worded when it is read. Returns the live freeze of
-- this cause, and whether it is new. Lock order: the Admin, the user.
create or replace function freeze_user(p_user uuid, p_cause freeze_cause, p_reason text, p_admin uuid default null)
returns table (freeze_id uuid, is_new boolean) language plpgsql as $$
declare
  target users;
begin
  perform lock_freezing_admin(p_admin, p_user);
  select * into target from users where id = p_user and deleted_at is null for no key update;
  if not found then
    perform refuse('user_not_found');
  end if;
  select id into freeze_id from freezes where user_id = p_user and withdrawal_id is null and cause = p_cause and ended_at is null;
  is_new := freeze_id is null;
  if is_new then
    insert into freezes (user_id, cause, reason, frozen_by) values (p_user, p_cause, p_reason, p_admin) returning id into freeze_id;
    perform notify_user(p_user, 'account_frozen', jsonb_build_object('reason', p_reason), freeze_id);
    perform enqueue_payout_change(p_admin);
    if p_admin is not null then
      perform log_admin_action(p_admin, 'user_frozen', p_user, jsonb_build_object('freeze', freeze_id, 'reason', p_reason));
    end if;
  end if;
  return next;
end $$;

-- Freezes a pending withdrawal request and notifies its worker. Returns its live freeze, and whether it is new. Lock order: the
-- Admin, the worker, whose row every payment of the request locks, the request.
create or replace function freeze_withdrawal(p_withdrawal uuid, p_reason text, p_admin uuid)
returns table (freeze_id uuid, is_new boolean) language plpgsql as $$
declare
  request withdrawals;
begin
  select * into request from withdrawals where id = p_withdrawal;
  if not found then
    perform refuse('withdrawal_not_found');
  end if;
  perform lock_freezing_admin(p_admin, request.worker_id);
  perform from users where id = request.worker_id for no key update;
  select * into request from withdrawals where id = p_withdrawal for no key update;
  if request.status <> 'pending' then
    perform refuse('already_decided.withdrawal', jsonb_build_object('status', request.status));
  end if;
  select id into freeze_id from freezes where withdrawal_id = p_withdrawal and ended_at is null;
  is_new := freeze_id is null;
  if is_new then
    insert into freezes (user_id, withdrawal_id, cause, reason, frozen_by)
    values (request.worker_id, p_withdrawal, 'admin', p_reason, p_admin) returning id into freeze_id;
    perform notify_user(request.worker_id, 'withdrawal_frozen', jsonb_build_object('coins', request.coins, 'reason', p_reason), freeze_id);
    perform enqueue_payout_change(p_admin);
    perform log_admin_action(p_admin, 'withdrawal_frozen', p_withdrawal, jsonb_build_object('freeze', freeze_id, 'reason', p_reason));
  end if;
  return next;
end $$;

-- Locks the row of an Admin who freezes a user, or ends a freeze. Nobody does it for themselves.
create or replace function lock_freezing_admin(p_admin uuid, p_user uuid) returns void language plpgsql as $$
begin
  if p_admin is null then
    return;
  elsif p_admin = p_user then
    perform refuse('yourself.freeze');
  end if;
  perform require_admin(p_admin);
end $$;

-- Ends a freeze and notifies the user, who may move coins again unless another freeze is live. Returns 1, or 0 when it has
-- ended before. Without an Admin (null) the server does it, with a key as its reason. A new Admin ends only freezes of their own
-- (docs/decisions/0081-new-admins-and-stops.md). Lock order: the Admin, the user, the freeze.
create or replace function end_freeze(p_freeze uuid, p_reason text, p_admin uuid default null) returns int language plpgsql as $$
declare
  frozen freezes;
begin
  select * into frozen from freezes where id = p_freeze;
  if not found then
    perform refuse('not_found.freeze');
  end if;
  perform lock_freezing_admin(p_admin, frozen.user_id);
  if frozen.frozen_by is distinct from p_admin then
    perform refuse_new_admins(array[p_admin]);
  end if;
  perform from users where id = frozen.user_id for no key update;
  update freezes set ended_at = clock_time(), ended_by = p_admin, end_reason = p_reason
   where id = p_freeze and ended_at is null returning * into frozen;
  if not found then
    return 0;
  end if;
  perform notify_user(frozen.user_id, 'freeze_ended', jsonb_build_object('subject',
      case when frozen.withdrawal_id is not null then 'withdrawal' else 'account' end, 'reason', p_reason), p_freeze);
  perform enqueue_payout_change(p_admin);
  if p_admin is not null then
    perform log_admin_action(p_admin, 'freeze_ended', coalesce(frozen.withdrawal_id, frozen.user_id),
      jsonb_build_object('freeze', p_freeze, 'reason', p_reason));
  end if;
  return 1;
end $$;

-- Ends the freezes of a user who is being deleted, or was. While a payout of theirs is in flight none ends: it stays stopped.
create or replace function end_freezes_of_user(p_user uuid, p_admin uuid) returns void language sql as $$
  update freezes set ended_at = clock_time(), ended_by = p_admin
   where user_id = p_user and ended_at is null
     and not exists (select from withdrawals where worker_id = p_user and status = 'pending')
$$;

-- Ends the freeze of a withdrawal request that is decided: nothing is left to stop. With the last request of a deleted worker all
-- of theirs end; two of them are decided one after the other. Nobody is notified. `p_admin`: null when no Admin decided.
create or replace function end_freezes_of_withdrawal(p_withdrawal uuid, p_admin uuid) returns void language plpgsql as $$
declare
  deleted_worker uuid;
begin
  update freezes set ended_at = clock_time(), ended_by = p_admin where withdrawal_id = p_withdrawal and ended_at is null;
  select users.id into deleted_worker from withdrawals join users on users.id = worker_id
   where withdrawals.id = p_withdrawal and users.deleted_at is not null;
  if found then
    perform pg_advisory_xact_lock(7461013, hashtext(deleted_worker::text));
    perform end_freezes_of_user(deleted_worker, p_admin);
  end if;
end $$;

-- Stores what the user says to their live freeze, and notifies the Admins. A later response replaces the earlier one.
create or replace function respond_to_freeze(p_freeze uuid, p_user uuid, p_response text) returns void language plpgsql as $$
begin
  update freezes set response = p_response, responded_at = clock_time()
   where id = p_freeze and user_id = p_user and ended_at is null;
  if not found then
    perform refuse('not_found.freeze');
  end if;
  perform notify_user(admins.id, 'freeze_response', jsonb_build_object('name', responding.name, 'response', p_response), p_freeze)
     from users as responding, users as admins
    where responding.id = p_user and admins.role = 'Admin' and admins.deleted_at is null and admins.id <> p_user;
end $$;
