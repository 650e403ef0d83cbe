-- Returns whether coins of a withdrawal request come from a card payment with an open dispute: the worker bought them or got them
-- back from a task, or a buyer paid the worker with coins that moved after that payment was credited. Such a request is not paid
-- until the dispute ends (docs/payments.md#containment). Reads every transfer of the worker since the oldest of these payments,
-- until the request's coins are explained: what came before cannot be of it.
create or replace function has_disputed_coins(p_withdrawal uuid) returns boolean language plpgsql stable as $$
declare
  oldest bigint;
begin
  -- Disputes are rare: most requests need no look at their coins.
  select min(credited.transfer_id) into oldest
    from payment_disputes as disputes
    join transfer_keys as credited on credited.kind = 'coins_bought' and credited.ref = disputes.payment_id
   where disputes.is_open;
  if oldest is null then
    return false;
  end if;
  return exists (
    with sources as materialized (select kind, ref from coin_sources(p_withdrawal, oldest - 1)),
    disputed as materialized (
      select payments.id, payments.user_id, credited.transfer_id as credited_at
        from payment_disputes as disputes join payments on payments.id = disputes.payment_id
        join transfer_keys as credited on credited.kind = 'coins_bought' and credited.ref = payments.id
       where disputes.is_open
    )
    select from sources join disputed on disputed.id = sources.ref where sources.kind = 'coins_bought'
    union all
    select from sources join disputed on disputed.user_id = (select worker_id from withdrawals where id = p_withdrawal)
     where sources.kind in ('task_refunded', 'slot_refunded')
    union all
    select from sources join submissions on submissions.id = sources.ref
      join disputed on disputed.user_id = submissions.buyer_id
      join tasks on tasks.id = submissions.task_id
      join ledger_transfers as funded on funded.credit = tasks.escrow_id and funded.id > disputed.credited_at
     where sources.kind = 'submission_paid'
    union all
    select from sources join bonuses on bonuses.id = sources.ref
      join disputed on disputed.user_id = bonuses.buyer_id
      join transfer_keys as paid on paid.kind = 'bonus_paid' and paid.ref = bonuses.id and paid.transfer_id > disputed.credited_at
     where sources.kind = 'bonus_paid');
end $$;
