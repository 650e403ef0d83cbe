-- Adds the owners of the accounts that were opened before 0326: the user of a balance, the task of an escrow, the worker of a hold.
-- Locks: up to 1,000 rows of ledger_accounts against transfers, for the moments in which their owners are added.
with part as materialized (
  select id, kind::text from ledger_accounts where id > $1::bigint order by id limit 1000
),
owned as materialized (
  select part.id, case part.kind when 'user' then (select id from users where account_id = part.id)
                                 when 'escrow' then (select id from tasks where escrow_id = part.id)
                                 when 'hold' then (select worker_id from withdrawals where hold_id = part.id) end as owner_id
    from part
),
waiting as materialized (
  select id from ledger_accounts where id = any (array(select id from owned where owner_id is not null)) and owner_id is null
   order by id for no key update
),
added as (
  update ledger_accounts as accounts set owner_id = owned.owner_id
    from owned join waiting using (id) where accounts.id = owned.id
)
select (select max(id) from part)::text as last
