-- Returns the credits that some coins of an account came from, for Admins
-- (docs/decisions/0006-where-coins-came-from.md). The last coins in are the first out: walking the account's transfers
-- back from `p_before`, each debit uses up the credits before it, and the credits left over cover the coins. At most
-- a thousand transfers are read; coins they do not explain are `other`. With `p_after` all transfers after that one are read, a
-- thousand at a time, until the coins are covered. Declined and cancelled requests are ignored, and so is the request `p_ignored`.
-- Coins that the card provider took back use up the credits of their own payment. `ref` of bought coins is the payment, also where
-- a won dispute returned them.
create or replace function credits_behind(
  p_account bigint, p_before bigint, p_coins bigint, p_ignored uuid default null, p_after bigint default null)
returns table (kind transfer_kind, ref uuid, coins bigint) language plpgsql stable as $$
declare
  uncovered bigint := p_coins;
  spent bigint := 0;
  -- The coins that the card provider took back, by payment.
  taken_back jsonb := '{}';
  before bigint := p_before;
  read int;
  movement record;
  part bigint;
  owed bigint;
begin
  loop
    read := 0;
    for movement in
      select movements.* from (
        (select credits.id, credits.kind, credits.ref, credits.amount, true as is_credit from ledger_transfers as credits
          where credits.credit = p_account and credits.id < before and credits.id > coalesce(p_after, 0)
          order by credits.id desc limit 1000)
        union all
        (select debits.id, debits.kind, debits.ref, debits.amount, false from ledger_transfers as debits
          where debits.debit = p_account and debits.id < before and debits.id > coalesce(p_after, 0)
          order by debits.id desc limit 1000)
      ) as movements order by movements.id desc limit 1000
    loop
      exit when uncovered = 0;
      read := read + 1;
      before := movement.id;
      continue when movement.kind = 'withdrawal_released';
      continue when movement.kind = 'withdrawal_held'
        and (movement.ref = p_ignored or (select status in ('declined', 'cancelled') from withdrawals where id = movement.ref));
      if movement.kind in ('coins_bought', 'card_reversed') then
        movement.ref := card_payment_of(movement.ref);
        owed := coalesce((taken_back ->> movement.ref::text)::bigint, 0);
        if movement.kind = 'card_reversed' then
          taken_back := taken_back || jsonb_build_object(movement.ref, owed + movement.amount);
          continue;
        end if;
        part := least(owed, movement.amount);
        taken_back := taken_back || jsonb_build_object(movement.ref, owed - part);
        movement.amount := movement.amount - part;
      end if;
      if not movement.is_credit then
        spent := spent + movement.amount;
      else
        part := least(spent, movement.amount);
        spent := spent - part;
        part := least(movement.amount - part, uncovered);
        uncovered := uncovered - part;
        if part > 0 then
          kind := movement.kind;
          ref := movement.ref;
          coins := part;
          return next;
        end if;
      end if;
    end loop;
    exit when p_after is null or uncovered = 0 or read < 1000;
  end loop;
end $$;

-- Returns the credits that a withdrawal request's coins came from; with `p_after` all that came after this transfer.
create or replace function coin_sources(p_withdrawal uuid, p_after bigint default null)
returns table (kind transfer_kind, ref uuid, coins bigint) language sql stable as $$
  select sources.* from withdrawals join users on users.id = withdrawals.worker_id
    join transfer_keys as held on held.kind = 'withdrawal_held' and held.ref = withdrawals.id
    cross join lateral credits_behind(users.account_id, held.transfer_id, withdrawals.coins, null, p_after) as sources
   where withdrawals.id = p_withdrawal
$$;

-- Returns the cents of a user's card payments that disputes withhold now.
create or replace function disputed_cents(p_user uuid) returns bigint language sql stable as $$
  select coalesce(sum(disputes.withheld_cents), 0)::bigint
    from payments join payment_disputes as disputes on disputes.payment_id = payments.id where payments.user_id = p_user
$$;

-- Returns the cents of a user's card payments that were refunded, without what disputes withhold.
create or replace function refunded_cents(p_user uuid) returns bigint language sql stable as $$
  select greatest(coalesce(sum(reversed_cents), 0) - disputed_cents(p_user), 0)::bigint from payments where user_id = p_user
$$;

-- Returns how many of a request's coins began as starting coins or as purchases. A buyer's coins count as a mixture of their
-- starting coins, purchases and earnings in proportion. Flags are hints, not proof.
create or replace function coin_provenance(p_withdrawal uuid) returns jsonb language sql stable as $$
  with request as (
    select withdrawals.coins, withdrawals.worker_id, withdrawals.created_at, users.created_at as joined_at
      from withdrawals join users on users.id = withdrawals.worker_id where withdrawals.id = p_withdrawal
  ),
  sources as materialized (select kind, ref, coins from coin_sources(p_withdrawal)),
  payers as materialized (
    select buyers.id, buyers.name, buyers.email, paid.coins,
           greatest(0, extract(day from request.created_at - buyers.created_at))::int as age,
           disputed_cents(buyers.id) as disputed_cents, refunded_cents(buyers.id) as refunded_cents, mixture.starting, mixture.bought, nullif(mixture.starting + mixture.bought + mixture.worked, 0) as total
      from request cross join (
        select buyer_id, sum(coins)::bigint as coins
          from (select submissions.buyer_id, sources.coins from sources join submissions on submissions.id = sources.ref
                 where sources.kind = 'submission_paid'
                union all
                select bonuses.buyer_id, sources.coins from sources join bonuses on bonuses.id = sources.ref
                 where sources.kind = 'bonus_paid') as payments
         group by buyer_id
      ) as paid
      join users as buyers on buyers.id = paid.buyer_id
      cross join lateral (
        select coalesce((select amount from ledger_transfers
                        where id = (select transfer_id from transfer_keys where kind = 'sign_up_bonus' and ref = buyers.id)), 0) as starting,
               purchased_coins(buyers.id) as bought,
               coalesce((select sum(reward) from submissions where worker_id = buyers.id and status = 'approved'), 0)
                 + coalesce((select sum(coins) from bonuses where worker_id = buyers.id), 0) as worked
      ) as mixture
  ),
  parts as (
    select (select coalesce(sum(coins) filter (where kind = 'sign_up_bonus'), 0) from sources)
           + (select coalesce(sum(floor(coins * starting / total)), 0) from payers) as starting,
           (select coalesce(sum(coins) filter (where kind = 'coins_bought'), 0) from sources)
           + (select coalesce(sum(floor(coins * bought / total)), 0) from payers) as purchased
  )
  select jsonb_build_object(
    'byBuyer', coalesce((select jsonb_agg(jsonb_build_object(
        '_id', id, 'name', name, 'email', email, 'coins', coins, 'accountAgeDays', age, 'disputedCents', disputed_cents,
        'refundedCents', refunded_cents) order by coins desc, id)
      from (select * from payers order by coins desc, id limit 10) as largest), '[]'),
    'bonus', parts.starting,
    'purchased', parts.purchased,
    'other', request.coins - parts.starting - parts.purchased,
    'flags', to_jsonb(array_remove(array[
      case when disputed_cents(request.worker_id) > 0 or exists (select from payers where disputed_cents > 0)
           then 'disputed_payment' end,
      case when has_disputed_coins(p_withdrawal) then 'disputed_coins' end,
      case when exists (select from payments where fraud_warning_at is not null
                           and (user_id = request.worker_id or user_id in (select id from payers)))
           then 'fraud_warning' end,
      case when exists (select from payments join payments as others
                            on others.card_fingerprint = payments.card_fingerprint and others.user_id <> payments.user_id
                         where payments.card_fingerprint <> '' and payments.user_id in (select id from payers))
           then 'shared_card' end,
      case when (select count(*) from payers) < 3 then 'few_counterparties' end,
      case when request.created_at - request.joined_at < interval '7 days' or exists (select from payers where age < 7)
           then 'new_account' end,
      case when exists (
             select from sessions as worker_sessions join sessions as buyer_sessions on buyer_sessions.network = worker_sessions.network
              where worker_sessions.identity_id = request.worker_id and worker_sessions.network not in ('', 'unknown')
                and buyer_sessions.network <> '' and buyer_sessions.identity_id in (select id from payers))
           then 'shared_funding' end,
      case when parts.starting * 2 > request.coins then 'mostly_bonus' end
    ], null)))
    from request, parts
$$;
