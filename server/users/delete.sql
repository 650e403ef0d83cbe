-- Deletes a user in one transaction (docs/specification/users.md): deleted_at ends their sessions, their tasks close,
-- reservations of them are cancelled and pending work on them is paid, slots of their own reservations and pending work
-- are freed, their pending withdrawals are cancelled unless a payout is in flight, their payout destinations and webhook
-- endpoints are removed, their freezes end unless a payout is in flight, and the remaining coins go to the platform account.
-- The history stays under the id. Returns 1, or 0 for a deleted user.
-- Lock order: Admins, the user, tasks, reservations, submissions, withdrawals, escrows and holds, accounts.
create or replace function delete_user(p_user uuid, p_admin uuid) returns int language plpgsql as $$
declare
  target users;
  coins bigint;
begin
  perform lock_admins(p_admin);
  select * into target from users where id = p_user for no key update;
  if not found then
    perform refuse('user_not_found.deleted');
  elsif target.deleted_at is not null then
    return 0;
  elsif target.role = 'Admin' then
    perform refuse_last_admin(p_user, p_admin);
  end if;

  perform lock_work_of_user(p_user);
  perform close_tasks_of_buyer(p_user);
  perform cancel_reservations_of_buyer(p_user);
  perform return_reservations_of_worker(p_user);
  perform delete_task_filters_of(p_user);
  perform delete_task_drafts_of(p_user);
  perform delete_task_views_of(p_user);
  perform delete_audience_of(p_user);
  perform enqueue_reviews_of_user(p_user);
  perform pay_pending_work(p_user);
  perform release_pending_work(p_user);
  perform cancel_withdrawals(p_user);
  perform remove_destinations(p_user);
  perform delete_webhook_endpoints_of(p_user);
  perform lapse_setting_proposals(p_user);
  perform end_freezes_of_user(p_user, p_admin);
  update users set deleted_at = clock_time() where id = p_user;

  select balance into strict coins from ledger_accounts where id = target.account_id for no key update;
  if coins > 0 then
    perform transfer('swept_to_platform', p_user, target.account_id, platform_account(), coins);
  end if;
  perform log_admin_action(p_admin, 'user_deleted', p_user, jsonb_build_object('coins_swept', coins));
  return 1;
end $$;

-- Returns what deleting this user would change now. Returns no row for a deleted user.
create or replace function deletion_preview(p_user uuid)
returns table (tasks_closed bigint, reservations_cancelled bigint, submissions_paid bigint, coins_paid bigint, slots_released bigint,
               withdrawals_cancelled bigint, coins_swept bigint) language sql stable as $$
  select open_tasks.count, reserved.count, to_pay.count, to_pay.coins, to_release.count + held.count, to_cancel.count,
         accounts.balance + open_tasks.refund + reserved.refund + to_cancel.coins
           - least(accounts.debt, open_tasks.refund + reserved.refund + to_cancel.coins)
    from users join ledger_accounts as accounts on accounts.id = users.account_id
    cross join lateral (select count(*), coalesce(sum(slots_left * reward), 0)::bigint as refund
                          from tasks where buyer_id = users.id and closed_at is null) as open_tasks
    cross join lateral (select count(*), coalesce(sum((select reward from tasks where id = task_id)), 0)::bigint as refund
                          from reservations where buyer_id = users.id and ended_at is null) as reserved
    cross join lateral (select count(*), coalesce(sum(reward), 0)::bigint as coins
                          from submissions where buyer_id = users.id and status not in ('approved', 'rejected')) as to_pay
    cross join lateral (select count(*) from submissions where worker_id = users.id and status not in ('approved', 'rejected')) as to_release
    cross join lateral (select count(*) from reservations where worker_id = users.id and ended_at is null) as held
    cross join lateral (select count(*), coalesce(sum(coins), 0)::bigint as coins
                          from withdrawals where worker_id = users.id and status = 'pending' and not is_payout_in_flight(withdrawals.id)) as to_cancel
   where users.id = p_user and users.deleted_at is null
$$;
