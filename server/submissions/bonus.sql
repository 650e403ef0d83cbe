-- Pays a bonus from the buyer's balance for work of theirs that was approved, and notifies the worker. Lock order: the
-- worker, so that a concurrent deletion happens before or after, then the task and the submission.
create or replace function pay_bonus(p_id uuid, p_submission uuid, p_buyer uuid, p_coins bigint, p_message text)
returns void language plpgsql as $$
declare
  approved submissions;
  worker users;
begin
  perform refuse_frozen(p_buyer);
  select * into worker from users where id = (select worker_id from submissions where id = p_submission) for share;
  approved := lock_submission_of(p_submission, p_buyer, null, '{approved}');
  if worker.deleted_at is not null then
    perform refuse('user_not_found');
  end if;
  insert into bonuses (id, submission_id, buyer_id, worker_id, coins, message)
  values (p_id, approved.id, p_buyer, worker.id, p_coins, p_message);
  perform transfer('bonus_paid', p_id, (select account_id from users where id = p_buyer), worker.account_id, p_coins);
  perform notify_user(worker.id, 'bonus_received', jsonb_build_object(
      'buyer', (select name from users where id = p_buyer), 'title', title, 'coins', p_coins, 'message', p_message), approved.id)
     from tasks where id = approved.task_id;
  perform enqueue_change(p_buyer);
end $$;

create or replace function audit_bonuses()
returns table (name text, checked bigint, wrong bigint) language sql stable as $$
  select 'every bonus was paid once, for approved work', count(*), count(*) filter (where
         (paid.amount, paid.debit, paid.credit) is distinct from (bonuses.coins, buyers.account_id, workers.account_id)
         or submissions.status is distinct from 'approved')
    from bonuses left join submissions on submissions.id = bonuses.submission_id
    join users as buyers on buyers.id = bonuses.buyer_id
    join users as workers on workers.id = bonuses.worker_id
    left join ledger_transfers as paid on paid.kind = 'bonus_paid' and paid.ref = bonuses.id
  union all
  select 'every payment of a bonus has its bonus', count(*), count(*) filter (where bonuses.id is null)
    from ledger_transfers as paid left join bonuses on bonuses.id = paid.ref where paid.kind = 'bonus_paid'
$$;
