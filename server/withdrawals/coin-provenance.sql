-- Where the coins of a request came from, for the Admin's eyes (docs/decisions/0006-where-coins-came-from.md).
--
-- The coins that came last leave first: from the request back through the worker's movements, what went out before is
-- passed over, what came in covers the request until it is covered. A thousand movements at most; what they do not
-- explain is `other`. Requests that came to nothing are as if they had never been.
create or replace function coin_sources(p_withdrawal uuid)
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
create or replace function coin_provenance(p_withdrawal uuid) returns jsonb language sql stable as $$
  with request as (
    select withdrawals.coins, withdrawals.worker_id, withdrawals.created_at, users.created_at as joined_at
      from withdrawals join users on users.id = withdrawals.worker_id where withdrawals.id = p_withdrawal
  ),
  behind as materialized (select kind, ref, coins from coin_sources(p_withdrawal)),
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
