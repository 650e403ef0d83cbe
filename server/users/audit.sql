create or replace function audit_users()
returns table (name text, checked bigint, wrong bigint) language sql stable as $$
  select 'every user has an account of their own', count(*), count(*) filter (where accounts.kind <> 'user')
    from users join ledger_accounts as accounts on accounts.id = users.account_id
  union all
  select 'every user account belongs to a user', count(*), count(*) filter (where users.id is null or users.id <> owner_id)
    from ledger_accounts as accounts left join users on users.account_id = accounts.id where accounts.kind = 'user'
  union all
  select 'deleted users have no coins', count(*), count(*) filter (where accounts.balance <> 0)
    from users join ledger_accounts as accounts on accounts.id = users.account_id where users.deleted_at is not null
  union all
  select 'deleted users have no open tasks, work that is not final or pending withdrawals without a payout in flight', count(*), count(*) filter (where
         exists (select from tasks where buyer_id = users.id and closed_at is null)
         or exists (select from submissions where buyer_id = users.id and status not in ('approved', 'rejected'))
         or exists (select from submissions where worker_id = users.id and status not in ('approved', 'rejected'))
         or exists (select from withdrawals where worker_id = users.id and status = 'pending' and not is_payout_in_flight(withdrawals.id)))
    from users where users.deleted_at is not null
  union all
  select 'reservations of deleted users have ended', count(*), count(*) filter (where
         workers.deleted_at is not null or buyers.deleted_at is not null)
    from reservations join users as workers on workers.id = worker_id join users as buyers on buyers.id = buyer_id
   where ended_at is null
$$;
