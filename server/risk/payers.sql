-- Returns the coins that a user ever received, by what they began as: starting coins, purchases that were not reversed, or work for
-- others. The limit keeps the lookup of a user from becoming a join with all users.
create or replace function funds_of(p_user uuid)
returns table (starting numeric, bought numeric, worked numeric, total numeric) language sql stable as $$
  select parts.*, parts.starting + parts.bought + parts.worked
    from (
      select coalesce((select amount from ledger_transfers
                        where id = (select transfer_id from transfer_keys where kind = 'sign_up_bonus' and ref = users.id)), 0)::numeric as starting,
             purchased_coins(users.id) as bought,
             coalesce((select sum(coins) from earnings_by_buyer(users.id)), 0) as worked
        from users where users.id = p_user limit 1) as parts
$$;

-- Returns the coins that a worker earned, by buyer: rewards and bonuses, the latest of each.
create or replace function earnings_by_buyer(p_worker uuid, p_latest int default 1000)
returns table (buyer_id uuid, coins numeric) language sql stable as $$
  select buyer_id, sum(coins) from (
    (select buyer_id, reward as coins from submissions where worker_id = p_worker and status = 'approved' order by id desc limit p_latest)
    union all
    (select buyer_id, coins from bonuses where worker_id = p_worker order by id desc limit p_latest)) as earned
   group by buyer_id
$$;

-- Returns the coins that a buyer paid, by worker: rewards and bonuses of the last thousand of each.
create or replace function payments_by_worker(p_buyer uuid) returns table (worker_id uuid, coins numeric) language sql stable as $$
  select worker_id, sum(coins) from (
    (select worker_id, reward as coins from submissions where buyer_id = p_buyer and status = 'approved' order by id desc limit 1000)
    union all
    (select worker_id, coins from bonuses where buyer_id = p_buyer order by id desc limit 1000)) as paid
   group by worker_id
$$;

-- Returns whose coins the worker of a request has not spent: the thirty buyers who paid most of them, and where these
-- earned theirs, up to three hops and five
-- buyers back each. A user who worked before they became a buyer leads to their own buyers.
create or replace function unspent_payers(p_withdrawal uuid) returns setof coin_payer language sql stable as $$
  with recursive sources as materialized (
    select users.id as worker_id, sources.kind, sources.ref, sources.coins
      from withdrawals join users on users.id = withdrawals.worker_id
      join ledger_accounts as accounts on accounts.id = users.account_id
      cross join lateral credits_behind(users.account_id, 9223372036854775807, withdrawals.coins + accounts.balance, p_withdrawal) as sources
     where withdrawals.id = p_withdrawal
  ),
  uncovered as (
    select withdrawals.worker_id, withdrawals.coins + accounts.balance - (select coalesce(sum(coins), 0) from sources) as coins
      from withdrawals join users on users.id = withdrawals.worker_id
      join ledger_accounts as accounts on accounts.id = users.account_id
     where withdrawals.id = p_withdrawal
  ),
  direct as (
    select buyer_id, sum(coins) as coins
      from (select submissions.buyer_id, sources.coins from sources join submissions on submissions.id = sources.ref
             where sources.kind = 'submission_paid'
            union all
            select bonuses.buyer_id, sources.coins from sources join bonuses on bonuses.id = sources.ref
             where sources.kind = 'bonus_paid'
            union all
            -- Coins below the transfers that are read: a thousand small rewards on top do not hide who paid them.
            select earned.buyer_id, uncovered.coins * earned.coins / sum(earned.coins) over ()
              from uncovered cross join lateral earnings_by_buyer(uncovered.worker_id, 20000) as earned where uncovered.coins > 0) as paid
     group by buyer_id order by 2 desc, 1 limit 30
  ),
  flow as (
    select 1 as hop, buyer_id as user_id, coins from direct
    union all
    select flow.hop + 1, earned.buyer_id, flow.coins * funds.worked / funds.total * earned.coins / funds.worked
      from flow cross join lateral funds_of(flow.user_id) as funds
      cross join lateral (select * from earnings_by_buyer(flow.user_id) order by coins desc limit 5) as earned
     where flow.hop < 3 and funds.worked > 0
  )
  select flow.user_id, flow.hop, flow.coins, flow.coins * funds.starting / nullif(funds.total, 0), flow.coins * funds.bought / nullif(funds.total, 0)
    from flow cross join lateral funds_of(flow.user_id) as funds
  union all
  -- Refunds of tasks that the worker posted as a buyer are what they paid with: starting coins and purchases.
  select worker_id, 0, own.starting + own.bought + own.refunded,
         own.starting + coalesce(own.refunded * funds.starting / nullif(funds.starting + funds.bought, 0), 0),
         own.bought + coalesce(own.refunded * funds.bought / nullif(funds.starting + funds.bought, 0), 0)
    from (select worker_id, coalesce(sum(coins) filter (where kind = 'sign_up_bonus'), 0) as starting,
                 coalesce(sum(coins) filter (where kind = 'coins_bought'), 0) as bought,
                 coalesce(sum(coins) filter (where kind in ('task_refunded', 'slot_refunded')), 0) as refunded
            from sources group by worker_id) as own
    cross join lateral funds_of(worker_id) as funds
   where own.starting + own.bought + own.refunded > 0
$$;
