import assert from 'node:assert/strict'
import type { Database } from '#server/database/database.ts'
import { settleDueSubmissions } from '#server/submissions/settle-due.ts'
import {
  anAdmin,
  aSubmission,
  aTask,
  aWorker,
  balanceOf,
  type TestUser,
  testConfig,
} from '#tests/support/factories.ts'
import type { Processor } from './processor.ts'
import { debtOf, notificationsOf, type Shop } from './shop.ts'

type Context = { database: Database; processor: Processor; shop: Shop; buyer: TestUser }

/** Scenarios of what an open dispute stops, for every card processor (docs/payments.md#containment). */
export const CONTAINMENT: Record<string, (context: Context) => Promise<void>> = {
  async 'drill: a dispute while 500 coins are in escrow and accomplices ask for withdrawals lets nothing out'(
    context,
  ) {
    const { database, shop, buyer } = context
    const admin = await anAdmin(database)
    const { id, open, paid, late } = await aFraud(context)
    const [first, second] = paid
    await request(context, first)
    await dispute(context, id, 'needs_response')
    assert.deepEqual([await balanceOf(database, buyer), await debtOf(database, buyer)], [0, 850])

    const honest = await aWorker(database)
    assert.equal((await submit(context, honest, open)).code, 'task_closed')
    assert.equal((await shop.ask(honest, 'POST', `/tasks/${open}/reservation`)).code, 'task_closed')
    assert.ok(!(await listed(context)).includes(open))
    assert.equal((await approveAll(context, open)).code, 'account_frozen')
    await letReviewsEnd(context)
    assert.equal(await balanceOf(database, late), 260, 'work that was in is paid')

    await request(context, second)
    await request(context, late)
    const requests = await requestsOf(context, admin)
    assert.equal(requests.length, 3)
    for (const { _id, origin } of requests) {
      assert.ok(origin.flags.includes('disputed_coins'))
      const refused = await decide(context, admin, _id, 'approved')
      assert.deepEqual([refused.status, refused.code], [409, 'state_conflict'])
    }
    const { rows } = await database.pool.query(
      `select from ledger_transfers join withdrawals on withdrawals.id = ref
        where kind = 'withdrawal_paid' and worker_id = any ($1)`,
      [[first.id, second.id, late.id]],
    )
    assert.equal(rows.length, 0, 'nothing went out')
  },

  async 'a won dispute ends what it stopped: the tasks continue and the workers are paid'(context) {
    const { database, shop, buyer } = context
    const admin = await anAdmin(database)
    const { id, open, paid } = await aFraud(context)
    await request(context, paid[0])
    await dispute(context, id, 'needs_response')
    await dispute(context, id, 'under_review')
    assert.equal(await isFrozen(context), true)
    await dispute(context, id, 'won')
    assert.equal(await isFrozen(context), false)
    assert.deepEqual([await balanceOf(database, buyer), await debtOf(database, buyer)], [150, 0])
    assert.equal((await submit(context, await aWorker(database), open)).status, 200)
    for (const { _id } of await requestsOf(context, admin))
      assert.equal((await decide(context, admin, _id, 'approved')).status, 200)
    assert.deepEqual(await notificationsOf(database, buyer, 'tasks_held'), [
      'One task is on hold while a card payment of yours is disputed: nobody can take its free slots (250 coins).',
      'Your tasks are no longer on hold.',
    ])
    assert.equal((await shop.ask(buyer, 'GET', `/task-datails/${open}`)).body.isClosed, false)
  },

  async 'a lost dispute: the free slots repay the debt, work that is in is paid, and requests can be decided'(
    context,
  ) {
    const { database, shop, buyer } = context
    const admin = await anAdmin(database)
    const { id, open, paid, late } = await aFraud(context)
    await request(context, paid[0])
    await dispute(context, id, 'needs_response')
    await dispute(context, id, 'lost')
    assert.equal(await isFrozen(context), true, 'until an Admin ends it')
    assert.deepEqual([await balanceOf(database, buyer), await debtOf(database, buyer)], [0, 600])
    assert.equal((await shop.ask(buyer, 'GET', `/task-datails/${open}`)).body.isClosed, true)
    await letReviewsEnd(context)
    assert.equal(await balanceOf(database, late), 260)
    for (const { _id } of await requestsOf(context, admin))
      assert.equal((await decide(context, admin, _id, 'approved')).status, 200)
  },

  async 'coins that a dispute returned are not paid out when it opens again'(context) {
    const { database, shop, buyer } = context
    const admin = await anAdmin(database)
    const id = await shop.payPackage(buyer, 35)
    await shop.confirm(buyer, id)
    await dispute(context, id, 'needs_response')
    await dispute(context, id, 'prevented')
    await database.pool.query(`update users set role = 'Worker' where id = $1`, [buyer.id])
    const withdrawal = (await request(context, buyer)).body.insertedId as string
    await dispute(context, id, 'appeal_needs_response')
    const end = `select end_freeze(id, 'A mistake', $2) from freezes where user_id = $1 and ended_at is null`
    await database.pool.query(end, [buyer.id, admin.id])
    const all = (await shop.ask(admin, 'GET', '/withdraw')).body as unknown as Request[]
    const flags = all.find(({ _id }) => _id === withdrawal)?.origin.flags
    assert.ok(flags?.includes('disputed_coins'), flags?.join())
    assert.equal((await decide(context, admin, withdrawal, 'approved')).code, 'state_conflict')
    await dispute(context, id, 'won')
    assert.equal((await decide(context, admin, withdrawal, 'approved')).status, 200)
  },

  async 'closing a held task gives nothing to spend: its coins repay the debt'(context) {
    const { database, shop, buyer } = context
    const { id, open } = await aFraud(context)
    await dispute(context, id, 'needs_response')
    assert.equal((await shop.ask(buyer, 'POST', `/tasks/${open}/close`)).status, 200)
    assert.deepEqual([await balanceOf(database, buyer), await debtOf(database, buyer)], [0, 600])
  },

  async 'a freeze ends with the last dispute, and an Admin can end it before'(context) {
    const { database, shop, buyer } = context
    const admin = await anAdmin(database)
    const ids = [await shop.payPackage(buyer), ''] as [string, string]
    await shop.confirm(buyer, ids[0])
    ids[1] = await shop.payPackage(buyer)
    await shop.confirm(buyer, ids[1])
    for (const id of ids) await dispute(context, id, 'needs_response')
    await dispute(context, ids[0], 'won')
    assert.equal(await isFrozen(context), true)
    await dispute(context, ids[1], 'won')
    assert.equal(await isFrozen(context), false)

    await dispute(context, ids[0], 'needs_response')
    await dispute(context, ids[0], 'lost')
    const end = `select end_freeze(id, 'A mistake', $2) from freezes where user_id = $1 and ended_at is null`
    await database.pool.query(end, [buyer.id, admin.id])
    await shop.send(ids[0], { type: 'charge.dispute.updated' })
    await shop.waitForEvents()
    assert.equal(await isFrozen(context), false, 'frozen once for each dispute')
    await dispute(context, ids[1], 'needs_response')
    assert.equal(await isFrozen(context), true)
    await dispute(context, ids[1], 'won')
    assert.equal(await isFrozen(context), false, 'the lost dispute was decided before')
  },

  async 'a won dispute closes no task because of another that was lost before'(context) {
    const { database, shop, buyer } = context
    const admin = await anAdmin(database)
    const ids: string[] = []
    for (const price of [10, 10, 20]) {
      const id = await shop.payPackage(buyer, price)
      await shop.confirm(buyer, id)
      ids.push(id)
    }
    const [lost = '', refunded = '', won = ''] = ids
    await dispute(context, lost, 'needs_response')
    await dispute(context, lost, 'lost')
    const end = `select end_freeze(id, 'Repaid', $2) from freezes where user_id = $1 and ended_at is null`
    await database.pool.query(end, [buyer.id, admin.id])

    const open = await aTask(database, buyer, { slots: 7, reward: 100 })
    await context.processor.refund(refunded)
    await shop.send(refunded, { type: 'charge.refunded' })
    await shop.waitForEvents()
    await dispute(context, won, 'needs_response')
    assert.deepEqual([await debtOf(database, buyer), await heldOf(context)], [650, [open]])
    await dispute(context, won, 'won')
    assert.deepEqual([await debtOf(database, buyer), await heldOf(context)], [150, []])
    assert.equal((await shop.ask(buyer, 'GET', `/task-datails/${open}`)).body.isClosed, false)
  },

  async 'a dispute that was lost while another held the tasks closes them when that one is won'(context) {
    const { database, shop, buyer } = context
    const { id, open } = await aFraud(context)
    const isClosed = async () => (await shop.ask(buyer, 'GET', `/task-datails/${open}`)).body.isClosed
    const other = await shop.payPackage(buyer)
    await shop.confirm(buyer, other)
    await dispute(context, other, 'needs_response')
    await dispute(context, id, 'needs_response')
    await dispute(context, id, 'lost')
    assert.equal(await isClosed(), false)
    await dispute(context, other, 'won')
    assert.equal(await isClosed(), true)
    assert.deepEqual([await balanceOf(database, buyer), await debtOf(database, buyer)], [0, 450])
  },

  async 'only as many tasks are held as the debt needs, newest first'(context) {
    const { database, shop, buyer } = context
    const id = await shop.payPackage(buyer)
    await shop.confirm(buyer, id)
    const [old, recent] = [
      await aTask(database, buyer, { slots: 4, reward: 25 }),
      await aTask(database, buyer, { slots: 5, reward: 20 }),
    ]
    await context.processor.refund(id, 500)
    await dispute(context, id, 'needs_response')
    assert.equal(await debtOf(database, buyer), 150)
    assert.deepEqual(await heldOf(context), [old, recent].sort())
    const other = await shop.payPackage(buyer)
    await shop.confirm(buyer, other)
    assert.equal(await debtOf(database, buyer), 0)
    await shop.send(id, { type: 'charge.dispute.updated' })
    await shop.waitForEvents()
    assert.deepEqual(await heldOf(context), [])
  },

  async 'posting a task while the dispute is booked leaves no task that is not held'(context) {
    const { database, shop, buyer } = context
    const id = await shop.payPackage(buyer, 20)
    await shop.confirm(buyer, id)
    await context.processor.dispute(id)
    const posts = Array.from({ length: 8 }, () => aTask(database, buyer, { slots: 1, reward: 60 }))
    await Promise.allSettled([...posts, shop.send(id, { type: 'charge.dispute.created' })])
    await shop.waitForEvents()
    const { rows } = await database.pool.query(
      'select from tasks where buyer_id = $1 and closed_at is null and held_at is null and slots_left > 0',
      [buyer.id],
    )
    assert.equal((await debtOf(database, buyer)) > 0 ? rows.length : 0, 0)
  },
}

/**
 * A buyer who paid 35 dollars: two workers were paid 200 coins each, and 500 coins are in escrow, half of them for work of
 * a third worker.
 */
async function aFraud({ database, shop, buyer }: Context) {
  const id = await shop.payPackage(buyer, 35)
  await shop.confirm(buyer, id)
  const paid = [await aWorker(database), await aWorker(database)] as const
  const done = await aTask(database, buyer, { slots: 2, reward: 200 })
  for (const worker of paid) {
    const submission = await aSubmission(database, done, worker)
    const approval = { status: 'approved' }
    await shop.ask(buyer, 'PATCH', `/update-submission-status/${submission}`, approval)
  }
  const open = await aTask(database, buyer, { slots: 2, reward: 250 })
  const late = await aWorker(database)
  await aSubmission(database, open, late)
  return { id, open, paid, late }
}

async function dispute({ processor, shop }: Context, id: string, status: string): Promise<void> {
  if (status === 'needs_response') await processor.dispute(id)
  else await processor.setDispute(id, status)
  await shop.send(id, { type: 'charge.dispute.updated' })
  await shop.waitForEvents()
}

const request = ({ shop }: Context, worker: TestUser) =>
  shop.ask(worker, 'POST', `/withdraw/${worker.email}`, {
    withdrawalCoin: 200,
    payment_system: 'Other',
    accountNumber: 'Cash at the office',
  })

type Request = { _id: string; workerEmail: string; origin: { flags: string[]; byBuyer: { email: string }[] } }
async function requestsOf({ shop, buyer }: Context, admin: TestUser): Promise<Request[]> {
  const { body } = await shop.ask(admin, 'GET', '/withdraw')
  const all = body as unknown as Request[]
  return all.filter(({ origin }) => origin.byBuyer.some(({ email }) => email === buyer.email))
}

const decide = ({ shop }: Context, admin: TestUser, id: string, status: string) =>
  shop.ask(admin, 'PATCH', `/withdraw-status/${id}`, { status })

const submit = ({ shop }: Context, worker: TestUser, taskId: string) =>
  shop.ask(worker, 'POST', '/submiteted-task', { taskId, submissoin_data: 'Here it is.' })

async function approveAll({ database, shop, buyer }: Context, taskId: string) {
  const { rows } = await database.pool.query<{ id: string }>(
    'select id from submissions where task_id = $1',
    [taskId],
  )
  return shop.ask(buyer, 'PATCH', `/update-submission-status/${rows[0]?.id}`, { status: 'approved' })
}

async function isFrozen({ database, buyer }: Context): Promise<boolean | undefined> {
  const { rows } = await database.pool.query<{ frozen: boolean }>('select is_frozen($1) as frozen', [
    buyer.id,
  ])
  return rows[0]?.frozen
}

async function listed({ shop }: Context): Promise<string[]> {
  const { body } = await shop.ask(null, 'GET', '/task-list-worker?open=true')
  return (body as unknown as { _id: string }[]).map(({ _id }) => _id)
}

async function heldOf({ database, buyer }: Context): Promise<string[]> {
  const held = 'select id from tasks where buyer_id = $1 and held_at is not null'
  const { rows } = await database.pool.query<{ id: string }>(held, [buyer.id])
  return rows.map((row) => row.id).sort()
}

/** Lets the review period of the buyer's pending work end. */
async function letReviewsEnd({ database, buyer }: Context): Promise<void> {
  await database.pool.query(
    `update submissions set due_at = clock_time() where buyer_id = $1 and status = 'pending'`,
    [buyer.id],
  )
  await settleDueSubmissions(database, testConfig)
}
