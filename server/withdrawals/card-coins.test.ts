import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { Database } from '#server/database/database.ts'
import { approveSubmission } from '#server/submissions/approve.ts'
import { payBonus } from '#server/submissions/bonus.ts'
import { closeTask } from '#server/tasks/close.ts'
import { atTime, later } from '#tests/support/clock.ts'
import { useDatabase } from '#tests/support/database.ts'
import { aBuyer, aSubmission, aTask, giveCoins, type TestUser } from '#tests/support/factories.ts'
import { seededRandom } from '#tests/support/random.ts'
import { aPayment, reverse } from '#tests/support/receipts.ts'
import { changeSettings } from '#tests/support/settings.ts'

/** The definition of resting coins, one payer at a time: slow, and easy to compare with docs/specification/withdrawals.md. */
const REFERENCE = `
create or replace function reference_rest_end(p_payment payments, p_rules jsonb) returns timestamptz language plpgsql stable as $$
declare
  trusted_user boolean := p_payment.paid_at >= make_interval(days => (p_rules ->> 'trustedPersonDays')::int)
    + (select created_at from users where id = p_payment.user_id);
  trusted_card boolean := p_payment.card_fingerprint <> '' and exists (
    select from payments where card_fingerprint = p_payment.card_fingerprint and reversed_cents = 0
       and paid_at + make_interval(days => (p_rules ->> 'trustedCardDays')::int) <= p_payment.paid_at);
begin
  return p_payment.paid_at
    + make_interval(days => (p_rules ->> case when trusted_user and trusted_card then 'trustedRestDays' else 'restDays' end)::int);
end $$;

create or replace function reference_resting_purchases(p_user uuid, p_rules jsonb, p_longest interval)
returns table (transfer bigint, coins bigint, until timestamptz) language plpgsql stable as $$
declare
  debt bigint := (select accounts.debt from ledger_accounts as accounts join users on account_id = accounts.id where users.id = p_user);
  bought record;
  owed bigint;
begin
  for bought in
    select payments.*, reference_rest_end(payments, p_rules) as rest_end,
           (select id from ledger_transfers where kind = 'coins_bought' and ref = payments.id) as credit
      from payments where user_id = p_user and paid_at > clock_time() - p_longest order by rest_end desc, credit
  loop
    owed := least(debt, bought.reversed_coins, (
      select coalesce(sum(amount), 0) from ledger_debts
       where ref in (select payment_reversals.id from payment_reversals where payment_id = bought.id)));
    debt := debt - owed;
    if bought.rest_end > clock_time() or bought.reversed_coins > 0 then
      return query select bought.credit, bought.coins - bought.reversed_coins + owed, bought.rest_end;
    end if;
  end loop;
end $$;

create or replace function reference_unspent_purchases(p_user uuid, p_rules jsonb, p_longest interval)
returns table (transfer bigint, coins bigint, until timestamptz) language plpgsql stable as $$
declare
  account bigint := (select account_id from users where id = p_user);
  kept bigint := (select balance from ledger_accounts where id = account)
    + (select coalesce(sum(balance), 0) from ledger_accounts where id in (select escrow_id from tasks where buyer_id = p_user));
  receipt record;
begin
  for receipt in
    select bought.transfer, bought.until, coalesce(bought.coins, amount) as coins
      from ledger_transfers left join reference_resting_purchases(p_user, p_rules, p_longest) as bought on bought.transfer = id
     where credit = account and kind::text not in ('task_refunded', 'slot_refunded', 'withdrawal_released')
       and ref not in (select payment_reversals.id from payment_reversals) order by id desc
  loop
    if receipt.transfer is not null and receipt.until > clock_time() then
      return query select receipt.transfer, least(receipt.coins, kept), receipt.until;
    end if;
    kept := greatest(0, kept - receipt.coins);
  end loop;
end $$;

create or replace function reference_resting_credits(p_user uuid, p_depth int default 2)
returns table (transfer bigint, coins bigint, until timestamptz) language plpgsql stable as $$
declare
  rules jsonb := operator_setting('card_coins_rest');
  longest interval := make_interval(days => greatest((rules ->> 'restDays')::int, (rules ->> 'trustedRestDays')::int));
  account bigint;
  payer uuid;
begin
  if longest = interval '0' then
    return;
  end if;
  if p_depth = 2 then
    return query select * from reference_unspent_purchases(p_user, rules, longest);
  else
    return query select * from reference_resting_purchases(p_user, rules, longest);
  end if;
  if p_depth = 0 then
    return;
  end if;
  select account_id into strict account from users where id = p_user;
  for payer in select distinct earned.payer from earned_since(account, clock_time() - longest) as earned loop
    return query select * from reference_resting_payments(payer, account, p_depth - 1);
  end loop;
end $$;

create or replace function reference_resting_payments(p_payer uuid, p_account bigint, p_depth int)
returns table (transfer bigint, coins bigint, until timestamptz) language plpgsql stable as $$
declare
  ids bigint[];
  parts bigint[];
  ends timestamptz[];
  payer_account bigint;
  still_there bigint;
begin
  select array_agg(resting.transfer), array_agg(resting.coins), array_agg(resting.until) into ids, parts, ends
    from reference_resting_credits(p_payer, p_depth) as resting;
  if ids is null then
    return;
  end if;
  select account_id, accounts.balance + (
      select coalesce(sum(escrows.balance), 0) from tasks join ledger_accounts as escrows on escrows.id = tasks.escrow_id
       where tasks.buyer_id = p_payer)
    into strict payer_account, still_there
    from users join ledger_accounts as accounts on accounts.id = users.account_id where users.id = p_payer;

  return query
    with first as (select min(id) as id from unnest(ids) as id),
    resting as (
      select given.id, part, ended, coalesce(sum(part) over (
               partition by given.id order by ended desc, part rows between unbounded preceding and 1 preceding), 0) as before
        from unnest(ids, parts, ends) as given (id, part, ended)
    ),
    received as (
      select id, -sum(case when kind = 'coins_bought' and resting.coins is not null then resting.coins else amount end)
               over (order by id desc) as start
        from ledger_transfers
        left join (select id, sum(part) as coins from unnest(ids, parts) as given (id, part) group by id) as resting using (id)
       where credit = payer_account and id >= (select id from first)
         and kind::text not in ('task_refunded', 'slot_refunded', 'withdrawal_released')
         and ref not in (select payment_reversals.id from payment_reversals)
    ),
    outgoing as (
      select id, amount, credit from ledger_transfers
       where debit = payer_account and id > (select id from first)
         and kind::text not in ('task_funded', 'task_topped_up', 'task_reopened', 'slot_reopened', 'reversal_funded', 'card_reversed', 'debt_paid')
         and not (kind = 'withdrawal_held'
                  and exists (select from withdrawals where withdrawals.id = ref and status in ('declined', 'cancelled')))
      union all
      select paid.id, paid.amount, paid.credit
        from tasks join ledger_transfers as paid on paid.debit = tasks.escrow_id and paid.id > (select id from first)
       where tasks.buyer_id = p_payer and paid.kind = 'submission_paid'
    ),
    paid as (
      select id, amount, credit, -still_there - sum(amount) over (order by id desc) as start from outgoing
    )
    select paid.id, covered.coins::bigint, resting.ended
      from paid cross join resting join received on received.id = resting.id
      cross join lateral (
        select least(paid.start + paid.amount, received.start + before + part)
               - greatest(paid.start, received.start + before) as coins) as covered
     where paid.credit = p_account and covered.coins > 0 and ended > clock_time();
end $$;
`

describe('resting credits', () => {
  const db = useDatabase()
  before(() => db.owner.query(REFERENCE))
  const compare = async (users: readonly TestUser[]) => {
    const found: string[] = []
    for (const { id } of users) {
      const [fast, slow] = await Promise.all(
        ['resting_credits', 'reference_resting_credits'].map(
          async (name) =>
            (
              await db.owner.query(
                `select transfer, coins::int, until from ${name}($1)
                  where coins > 0 and until > clock_time() order by transfer, until, coins`,
                [id],
              )
            ).rows,
        ),
      )
      assert.deepEqual(fast, slow)
      found.push(...(fast ?? []).map(({ transfer }) => transfer))
    }
    return found.length
  }

  for (const seed of [1, 2, 3, 4, 5, 6]) {
    test(`of all users of a random market are those of the definition, seed ${seed}`, async () => {
      const random = seededRandom(seed)
      const choice = <Item>(items: readonly Item[]) => items[Math.floor(random() * items.length)] as Item
      const amount = (most: number) => 1 + Math.floor(random() * most)
      const users: TestUser[] = []
      const payments: string[] = []
      for (let index = 0; index < 7; index++) users.push(await aBuyer(db.database, { coins: amount(80) }))
      await db.owner.query(
        `update users set created_at = created_at - interval '90 days' where id = any ($1)`,
        [users.slice(0, 3).map(({ id }) => id)],
      )
      const become = (user: TestUser, role: 'Buyer' | 'Worker') =>
        db.owner.query('update users set role = $2 where id = $1', [user.id, role])

      const DAYS = 10
      for (let day = 0; day <= DAYS; day++) {
        await atTime(db.url, later(new Date(), { days: day - DAYS, minutes: -1 }), async (database) => {
          for (let step = 0; step < 8; step++) {
            const [buyer, worker] = [choice(users), choice(users)]
            await become(buyer, 'Buyer')
            const kind = random()
            if (kind < 0.2) {
              const fingerprint = choice(['card_a', 'card_b', ''])
              payments.push(await aPayment(database, buyer, { cents: 1000, coins: amount(200), fingerprint }))
            } else if (kind < 0.3 && payments.length > 0) {
              await reverse(database, choice(payments), choice([0, 300, 1000]))
            } else if (kind < 0.4) await giveCoins(database, buyer.accountId, amount(50))
            else if (buyer !== worker) await work(database, buyer, worker, kind)
          }
        })
      }
      let compared = 0
      for (const rules of [
        { restDays: 7, trustedRestDays: 2, trustedPersonDays: 30, trustedCardDays: 3 },
        { restDays: 1, trustedRestDays: 0, trustedPersonDays: 0, trustedCardDays: 0 },
        { restDays: 3, trustedRestDays: 9, trustedPersonDays: 0, trustedCardDays: 1 },
      ]) {
        await changeSettings(db.database, 'card_coins_rest', rules)
        compared += await compare(users)
      }
      assert.notEqual(compared, 0)

      async function work(database: Database, buyer: TestUser, worker: TestUser, kind: number) {
        const { rows } = await db.owner.query(
          'select balance from ledger_accounts where id = (select account_id from users where id = $1)',
          [buyer.id],
        )
        // Buyers spend so much that refunds leave debts.
        const reward = Math.min(amount(200), Math.floor((Number(rows[0].balance) - 1) / 2))
        if (reward <= 0) return
        const task = await aTask(database, { ...buyer, role: 'Buyer' }, { slots: 2, reward })
        await become(worker, 'Worker')
        const submission = await aSubmission(database, task, { ...worker, role: 'Worker' })
        if (kind < 0.5) return
        await approveSubmission(database, submission, buyer.id)
        if (kind < 0.6) await closeTask(database, task, buyer.id)
        else if (kind < 0.7) await payBonus(database, submission, buyer.id, { coins: 1, message: 'Thanks' })
      }
    })
  }
})
