import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { describe, test } from 'node:test'
import { approveSubmission } from '#server/submissions/approve.ts'
import { closeTask } from '#server/tasks/close.ts'
import { useDatabase } from '#tests/support/database.ts'
import {
  aBuyer,
  anAdmin,
  aSubmission,
  aTask,
  aWorker,
  type TestUser,
  testConfig,
} from '#tests/support/factories.ts'
import { aPayment, reverse } from '#tests/support/receipts.ts'
import { requestWithdrawal } from './request.ts'

describe('coins of a disputed card payment', () => {
  const db = useDatabase()
  const run = async (sql: string, values: unknown[] = []) => (await db.owner.query(sql, values)).rows

  /** A user whose card payment bought these coins. */
  async function aPayer(coins: number) {
    const buyer = await aBuyer(db.database)
    return { buyer, payment: await aPayment(db.database, buyer, { cents: coins * 5, coins }) }
  }
  /** Opens a dispute that withholds nothing yet, calls `look`, and ends it. */
  async function whileDisputed<Result>(payment: string, look: () => Promise<Result>): Promise<Result> {
    const id = `dp_${randomUUID()}`
    await run(
      `insert into payment_disputes (id, payment_id, cents, withheld_cents, status, status_known, reason, opened_at, is_open)
       values ($1, $2, 0, 0, 'needs_response', true, 'fraudulent', now(), true)`,
      [id, payment],
    )
    const result = await look()
    await run('update payment_disputes set is_open = false where id = $1', [id])
    return result
  }
  /** Pays a worker one reward, and `bonuses` of one coin each on top. */
  async function pay(buyer: TestUser, worker: TestUser, reward: number, bonuses = 0): Promise<void> {
    const task = await aTask(db.database, buyer, { slots: 1, reward })
    const submission = await aSubmission(db.database, task, worker)
    await approveSubmission(db.database, submission, buyer.id)
    const each = `select pay_bonus(gen_random_uuid(), $1, $2, 1, '') from generate_series(1, $3)`
    await run(each, [submission, buyer.id, bonuses])
  }
  const request = (worker: TestUser, coins: number) =>
    requestWithdrawal(
      db.database,
      testConfig,
      worker,
      { coins, system: 'Bkash', accountNumber: '01712345678' },
      {},
    )
  const becomeWorker = (user: TestUser) => run(`update users set role = 'Worker' where id = $1`, [user.id])
  const isDisputed = async (withdrawal: string): Promise<boolean> =>
    (await run('select has_disputed_coins($1) as disputed', [withdrawal]))[0]?.disputed

  test('twelve hundred later small payments do not hide them', async () => {
    const { buyer, payment } = await aPayer(500)
    const honest = await aBuyer(db.database, { coins: 2000 })
    const worker = await aWorker(db.database)
    await pay(buyer, worker, 300)
    await pay(honest, worker, 1, 1199)
    const [top, below] = [await request(worker, 1000), await request(worker, 400)]
    const found = await whileDisputed(payment, async () => [await isDisputed(top), await isDisputed(below)])
    assert.deepEqual(found, [false, true], 'The last coins in are the first out')
    assert.equal(await isDisputed(below), false, 'The dispute is over')
  })

  test('one large request is traced to its last coin', async () => {
    const { buyer, payment } = await aPayer(500)
    const honest = await aBuyer(db.database, { coins: 2000 })
    const worker = await aWorker(db.database)
    await pay(buyer, worker, 300)
    await pay(honest, worker, 1, 1199)
    const whole = await request(worker, 1300)
    assert.equal(await whileDisputed(payment, () => isDisputed(whole)), true)
  })

  test('no transfer from before the oldest disputed payment is read', async () => {
    const honest = await aBuyer(db.database, { coins: 2000 })
    const worker = await aWorker(db.database)
    await pay(honest, worker, 900, 200)
    const { buyer, payment } = await aPayer(500)
    await pay(buyer, worker, 20)
    const withdrawal = await request(worker, 1100)
    const [{ bought }] = await run('select id as bought from ledger_transfers where ref = $1', [payment])
    const sources = await run('select coins::int from coin_sources($1, $2)', [withdrawal, bought - 1])
    assert.deepEqual(sources, [{ coins: 20 }])
    assert.equal(await whileDisputed(payment, () => isDisputed(withdrawal)), true)
  })

  test('a payment by the same buyer before the disputed purchase does not count', async () => {
    const { buyer, payment: earlier } = await aPayer(500)
    const worker = await aWorker(db.database)
    await pay(buyer, worker, 300)
    const withdrawal = await request(worker, 300)
    const later = await aPayment(db.database, buyer, { cents: 1000, coins: 150 })
    assert.equal(await whileDisputed(later, () => isDisputed(withdrawal)), false)
    assert.equal(await whileDisputed(earlier, () => isDisputed(withdrawal)), true)
  })

  test('a buyer who gets the coins back from a task and becomes a worker does not launder them', async () => {
    const { buyer, payment } = await aPayer(500)
    const task = await aTask(db.database, buyer, { slots: 5, reward: 100 })
    await closeTask(db.database, task, buyer.id)
    await becomeWorker(buyer)
    const withdrawal = await request(buyer, 400)
    assert.equal(await whileDisputed(payment, () => isDisputed(withdrawal)), true)
  })

  test("a further dispute of a frozen buyer updates the Admins' pages, which show what is stopped", async () => {
    const { buyer, payment } = await aPayer(500)
    const admin = await anAdmin(db.database)
    const contain = () =>
      run('select contain_disputes($1, users) from users where id = $2', [payment, buyer.id])
    await whileDisputed(payment, async () => {
      await contain()
      await run('delete from outbox')
      await contain()
    })
    const topics = await run(`select payload ->> 'topic' as topic from outbox where user_id = $1`, [admin.id])
    assert.deepEqual(topics, [{ topic: 'withdrawals' }])
  })

  for (const [title, spent, taken] of [
    ['were taken back', 0, 2500],
    ['were taken back in part', 0, 1000],
    ['became a debt', 250, 2500],
  ] as const)
    test(`coins that ${title} and returned are of the payment when it is disputed again`, async () => {
      const { buyer, payment } = await aPayer(500)
      if (spent > 0) await pay(buyer, await aWorker(db.database), spent)
      await reverse(db.database, payment, taken)
      await reverse(db.database, payment, 0)
      await becomeWorker(buyer)
      const withdrawal = await request(buyer, 300)
      await reverse(db.database, payment, 2500)
      assert.equal(await whileDisputed(payment, () => isDisputed(withdrawal)), true)
    })

  test('coins that were taken back are those of their own payment', async () => {
    const { buyer, payment: first } = await aPayer(500)
    const second = await aPayment(db.database, buyer, { cents: 2500, coins: 500 })
    await reverse(db.database, first, 2500)
    await becomeWorker(buyer)
    const rest = await request(buyer, 400)
    await reverse(db.database, first, 0)
    const returned = await request(buyer, 300)
    const both = await request(buyer, 320)
    const disputed = (payment: string) =>
      whileDisputed(payment, async () => [
        await isDisputed(rest),
        await isDisputed(returned),
        await isDisputed(both),
      ])
    assert.deepEqual(await disputed(first), [false, true, true])
    assert.deepEqual(await disputed(second), [true, false, true])
  })

  test('work that was paid before the coins of a payment were taken back can be withdrawn', async () => {
    const { buyer, payment } = await aPayer(500)
    await becomeWorker(buyer)
    await pay(await aBuyer(db.database, { coins: 300 }), buyer, 300)
    await reverse(db.database, payment, 2500)
    const withdrawal = await request(buyer, 300)
    assert.equal(await whileDisputed(payment, () => isDisputed(withdrawal)), false)
  })
})
