import assert from 'node:assert/strict'
import type { CardDispute, Evidence, TimelineEntry } from '#contract/card-disputes.ts'
import type { Database } from '#server/database/database.ts'
import { anAdmin, aSubmission, aTask, aWorker, type TestUser } from '#tests/support/factories.ts'
import type { Processor } from './processor.ts'
import type { Shop } from './shop.ts'

type Context = { database: Database; processor: Processor; shop: Shop; buyer: TestUser }
type Page = {
  dispute: CardDispute
  evidence: Evidence
  version: number
  timeline: TimelineEntry[]
  timelineMore: number
}

/** Scenarios of the evidence for disputes, for every card processor (docs/specification/payments.md#evidence). */
export const DISPUTES: Record<string, (context: Context) => Promise<void>> = {
  async 'evidence is prepared from what is known, submitted once, and the bank has it then'(context) {
    const { shop, buyer } = context
    const { admin, dispute } = await aDispute(context)
    assert.deepEqual([dispute.isOpen, dispute.canRespond, dispute.amount], [true, true, 10])
    assert.ok(dispute.respondBy !== null && dispute.respondBy > dispute.date)
    const { evidence } = await read(shop, admin, dispute._id)
    assert.deepEqual(
      [evidence.customerName, evidence.customerEmail, evidence.customerIp],
      [buyer.name, buyer.email, '127.0.0.1'],
    )
    assert.match(evidence.accessLog, /Received delivered work for "Label ten photos"/)
    assert.match(evidence.accessLog, /Was notified by the site: You bought \d+ coins for \$10\./)
    assert.doesNotMatch(evidence.accessLog, /[a-z]_[a-z]/, 'no raw kinds')

    const draft = { ...evidence, explanation: 'The buyer used the coins.' }
    assert.equal((await save(shop, admin, dispute._id, draft, false)).body.canRespond, true)
    assert.equal((await read(shop, admin, dispute._id)).evidence.explanation, 'The buyer used the coins.')
    const sent = await save(shop, admin, dispute._id, draft, true)
    assert.deepEqual([sent.status, sent.body.status, sent.body.canRespond], [200, 'under_review', false])
    assert.equal((await save(shop, admin, dispute._id, draft, true)).code, 'state_conflict')
    assert.deepEqual(await shop.ask(admin, 'GET', '/card-disputes/unknown').then(({ status }) => status), 404)
    assert.equal((await shop.ask(buyer, 'GET', `/card-disputes/${dispute._id}`)).status, 403)
  },

  async 'the evidence of an inquiry is submitted again when the bank disputes the payment'(context) {
    const { processor, shop } = context
    const { admin, dispute, id } = await aDispute(context)
    const become = async (status: string) => {
      await processor.setDispute(id, status)
      await shop.send(id, { type: 'charge.dispute.updated' })
      await shop.waitForEvents()
    }
    await become('warning_needs_response')
    const { evidence } = await read(shop, admin, dispute._id)
    const draft = { ...evidence, explanation: 'The buyer used the coins.' }
    assert.equal((await save(shop, admin, dispute._id, draft, true)).status, 200)
    await become('warning_under_review')
    assert.equal((await save(shop, admin, dispute._id, draft, true)).code, 'state_conflict')
    await become('needs_response')
    const again = await read(shop, admin, dispute._id)
    assert.deepEqual(
      [again.dispute.canRespond, again.evidence.explanation],
      [true, 'The buyer used the coins.'],
    )
    assert.equal((await save(shop, admin, dispute._id, again.evidence, true)).status, 200)
  },

  async 'evidence is submitted again for a dispute that an earlier version saw change'(context) {
    const { database, processor, shop } = context
    const { admin, dispute, id } = await aDispute(context)
    const compare = async () => {
      await shop.send(id, { type: 'charge.dispute.updated' })
      await shop.waitForEvents()
      return (await read(shop, admin, dispute._id)).dispute.canRespond
    }
    const { evidence } = await read(shop, admin, dispute._id)
    assert.equal((await save(shop, admin, dispute._id, evidence, true)).status, 200)
    const { rows } = await database.pool.query(
      'select submitted_by, submitted_at::text from dispute_evidence where dispute_id = $1',
      [dispute._id],
    )
    await processor.setDispute(id, 'appeal_needs_response')
    assert.equal(await compare(), true)
    // An earlier version records the change and keeps the submission.
    await database.pool.query(
      'update dispute_evidence set submitted_by = $2, submitted_at = $3 where dispute_id = $1',
      [dispute._id, rows[0].submitted_by, rows[0].submitted_at],
    )
    assert.equal(await compare(), true)
    assert.equal((await save(shop, admin, dispute._id, evidence, true)).status, 200)
  },

  async 'evidence that the provider does not take can be submitted again'(context) {
    const { shop, processor } = context
    const { admin, dispute } = await aDispute(context)
    const { evidence } = await read(shop, admin, dispute._id)
    processor.outage(true)
    const failed = await save(shop, admin, dispute._id, evidence, true).finally(() => processor.outage(false))
    assert.equal(failed.code, 'payments_unavailable')
    assert.equal((await save(shop, admin, dispute._id, evidence, true)).status, 200)
  },

  async 'evidence that another Admin has saved meanwhile is not overwritten'(context) {
    const { database, shop } = context
    const { admin, dispute } = await aDispute(context)
    const other = await anAdmin(database)
    const { evidence, version } = await read(shop, admin, dispute._id)
    const saveAs = (as: TestUser, explanation: string, seen: number | undefined) =>
      shop.ask(as, 'PUT', `/card-disputes/${dispute._id}/evidence`, {
        evidence: { ...evidence, explanation },
        version: seen,
        submit: false,
      })
    assert.equal(version, 0)
    assert.equal((await saveAs(other, 'Theirs', 0)).status, 200)
    assert.equal((await saveAs(admin, 'Mine', 0)).code, 'state_conflict')
    const saved = await read(shop, admin, dispute._id)
    assert.deepEqual([saved.evidence.explanation, saved.version], ['Theirs', 1])
    assert.equal((await saveAs(admin, 'Mine', 1)).status, 200)
    const retries = [await saveAs(admin, 'Mine', 1), await saveAs(admin, 'Mine', 1)]
    assert.deepEqual(
      retries.map(({ status }) => status),
      [200, 200],
    )
    assert.equal((await read(shop, admin, dispute._id)).version, 2)
    assert.equal((await saveAs(admin, 'Mine, edited after a lost response', 1)).status, 200)
    assert.equal((await saveAs(other, 'Theirs', 1)).code, 'state_conflict')
    assert.equal((await saveAs(admin, 'Mine, from another device', 1)).code, 'state_conflict')
    assert.equal((await saveAs(other, 'Without a version', undefined)).status, 200)
  },

  async 'the time line has what happened, in order'(context) {
    const { shop, processor } = context
    const { admin, dispute, id } = await aDispute(context)
    await processor.winDispute(id)
    await shop.send(id, { type: 'charge.dispute.closed' })
    await shop.waitForEvents()
    const { timeline } = await read(shop, admin, dispute._id)
    const kinds = timeline.map(({ kind }) => kind)
    for (const kind of [
      'paid',
      'task_posted',
      'work_paid',
      'dispute_opened',
      'buyer_frozen',
      'freeze_ended',
    ] as const)
      assert.ok(kinds.includes(kind), kind)
    assert.equal(kinds.filter((kind) => kind === 'reversed').length, 2)
    const paid = timeline.find(({ kind }) => kind === 'work_paid')
    const worker = await shop.ask(admin, 'GET', `/users/${paid?.userId}/overview`)
    assert.equal((worker.body as unknown as { user: { name: string } }).user.name, paid?.subject)
    assert.deepEqual(
      timeline.map(({ date }) => date),
      timeline.map(({ date }) => date).toSorted(),
    )
    assert.equal(kinds[0], 'paid')
  },

  async 'the time line has all entries of the payment itself, however much its workers withdraw'(context) {
    const { database, shop } = context
    const worker = await aWorker(database)
    const { admin, dispute } = await aDispute(context, async () => approvedWork(context, worker))
    const client = await database.pool.connect()
    try {
      await client.query('begin')
      await client.query(
        `with holds as (insert into ledger_accounts (kind) select 'hold' from generate_series(1, 600) returning id)
         insert into withdrawals (id, worker_id, coins, amount_cents, payment_system, account_number, hold_id, requested_on, created_at)
         select gen_random_uuid(), $1, 200, 1000, 'Other', 'Cash at the office', holds.id, current_date,
                (select paid_at from payments where transaction_id = $2) + row_number() over () * interval '1 microsecond'
           from holds`,
        [worker.id, dispute.transactionId],
      )
      const { rows } = await client.query<{ kind: string; more: string }>(
        'select timeline.kind, timeline.more::text from payments, payment_timeline(payments.id) as timeline where transaction_id = $1',
        [dispute.transactionId],
      )
      const kinds = rows.map(({ kind }) => kind)
      assert.equal(kinds.filter((kind) => kind === 'withdrawal_requested').length, 100)
      assert.equal(rows[0]?.more, '500')
      for (const kind of ['paid', 'dispute_opened', 'buyer_frozen', 'reversed', 'work_paid'])
        assert.ok(kinds.includes(kind), kind)
    } finally {
      await client.query('rollback')
      client.release()
    }
    assert.equal((await read(shop, admin, dispute._id)).timelineMore, 0)
  },

  async 'the time line has bonuses, the withdrawals of who received them, and coins added to earlier tasks'(
    context,
  ) {
    const { database, shop, buyer } = context
    const worker = await aWorker(database, { coins: 200 })
    const { task, submission } = await approvedWork(context, worker)
    const { admin, dispute } = await aDispute(context, async () => {
      await shop.ask(buyer, 'POST', `/submissions/${submission}/bonus`, { coins: 30 })
      await shop.ask(buyer, 'POST', `/tasks/${task}/slots`, { slots: 2 })
      const rejected = await aSubmission(database, task, await aWorker(database))
      await shop.ask(buyer, 'DELETE', `/submission-reject/${rejected}`)
      await shop.ask(buyer, 'POST', `/submissions/${rejected}/reopened-slot`)
      await shop.ask(buyer, 'POST', `/tasks/${task}/close`)
      await shop.ask(buyer, 'POST', `/tasks/${task}/reopen`, {})
      const request = { withdrawalCoin: 220, payment_system: 'Other', accountNumber: 'Cash at the office' }
      await shop.ask(worker, 'POST', `/withdraw/${worker.email}`, request)
    })
    const { timeline } = await read(shop, admin, dispute._id)
    const since = timeline.filter(({ subject }) => [worker.name, 'Label ten photos'].includes(subject))
    assert.deepEqual(
      since.map(({ kind, userId, coins }) => [kind, userId, coins]),
      [
        ['bonus_paid', worker.id, 30],
        ['task_topped_up', null, 40],
        ['slot_reopened', null, 20],
        ['task_reopened', null, 40],
        ['withdrawal_requested', worker.id, 220],
      ],
    )
  },
}

/** Approved work of this worker on a new task. */
async function approvedWork({ database, shop, buyer }: Context, worker: TestUser) {
  const task = await aTask(database, buyer, { slots: 1, reward: 20 })
  const submission = await aSubmission(database, task, worker)
  await shop.ask(buyer, 'PATCH', `/update-submission-status/${submission}`, { status: 'approved' })
  return { task, submission }
}

/** A payment of ten dollars that was spent, by default on delivered work, and its dispute. */
export async function aDispute(
  context: Context,
  spend: () => Promise<unknown> = async () => approvedWork(context, await aWorker(context.database)),
) {
  const { database, processor, shop, buyer } = context
  const admin = await anAdmin(database)
  const id = await shop.payPackage(buyer)
  await shop.confirm(buyer, id)
  await spend()
  await processor.dispute(id)
  await shop.send(id, { type: 'charge.dispute.created' })
  await shop.waitForEvents()
  const all = (await shop.ask(admin, 'GET', '/card-disputes')).body as unknown as CardDispute[]
  const dispute = all.find(({ transactionId }) => transactionId === id)
  assert.ok(dispute)
  return { admin, dispute, id }
}

async function read(shop: Shop, admin: TestUser, id: string): Promise<Page> {
  return (await shop.ask(admin, 'GET', `/card-disputes/${id}`)).body as unknown as Page
}

const save = (shop: Shop, admin: TestUser, id: string, evidence: Evidence, submit: boolean) =>
  shop.ask(admin, 'PUT', `/card-disputes/${id}/evidence`, { evidence, submit })
