import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { describe, test } from 'node:test'
import { freezeUser } from '#server/risk/freeze.ts'
import { useDatabase } from '#tests/support/database.ts'
import {
  aBuyer,
  anAdmin,
  aPendingSubmission,
  aSubmission,
  aTask,
  aWorker,
  balanceOf,
  noAppeals,
  outcomes,
  type TestUser,
} from '#tests/support/factories.ts'
import { approveSubmission } from './approve.ts'
import { approveSubmissions } from './bulk-approve.ts'
import { rejectSubmission } from './reject.ts'

describe('approve several submissions', () => {
  const db = useDatabase()

  /** One submission of each worker to a task of this buyer, in this order. */
  async function submissionsOf(buyer: TestUser, workers: TestUser[]): Promise<string[]> {
    const taskId = await aTask(db.database, buyer, { slots: workers.length, reward: 3 })
    const made: string[] = []
    for (const worker of workers) made.push(await aSubmission(db.database, taskId, worker))
    return made
  }

  test('each that can be approved is paid once, the others say why not', async () => {
    const { buyer, worker, submissionId: pending } = await aPendingSubmission(db.database, { reward: 25 })
    const taskId = await aTask(db.database, buyer, { slots: 3, reward: 7 })
    const [before, rejected, last] = [
      await aSubmission(db.database, taskId, worker),
      await aSubmission(db.database, taskId, await aWorker(db.database)),
      await aSubmission(db.database, taskId, await aWorker(db.database)),
    ]
    await approveSubmission(db.database, before, buyer.id)
    await rejectSubmission(db.database, noAppeals, rejected, buyer.id, { reason: 'It is empty' })
    const { submissionId: foreign } = await aPendingSubmission(db.database)
    const unknown = randomUUID()

    const asked = [pending, before, rejected, last, foreign, unknown, pending]
    const results = await approveSubmissions(db.database, asked, buyer.id)
    assert.deepEqual(
      new Map(results.map(({ id, modified, refusal }) => [id, modified || (refusal?.message ?? 'before')])),
      new Map<string, true | string>([
        [pending, true],
        [before, 'before'],
        [rejected, 'This submission was already rejected.'],
        [last, true],
        [foreign, 'This submission does not exist.'],
        [unknown, 'This submission does not exist.'],
      ]),
    )
    assert.equal(results.length, 6)
    assert.equal(await balanceOf(db.database, worker), 10 + 25 + 7)
    const again = await approveSubmissions(db.database, [pending, last], buyer.id)
    assert.deepEqual(
      again.map(({ modified, refusal }) => [modified, refusal]),
      [
        [false, null],
        [false, null],
      ],
    )
    assert.equal(await balanceOf(db.database, worker), 10 + 25 + 7)
  })

  test('it leaves the same rows as an approval of each alone', async () => {
    const [buyer, one, other] = [
      await aBuyer(db.database),
      await aWorker(db.database),
      await aWorker(db.database),
    ]
    const alone = await submissionsOf(buyer, [one, other])
    const together = await submissionsOf(buyer, [one, other])
    for (const id of alone) await approveSubmission(db.database, id, buyer.id)
    await approveSubmissions(db.database, together, buyer.id)
    const rowsOf = async (ids: string[]) =>
      (
        await db.database.pool.query(
          `select submissions.status, decided_by, kind, params, notifications.user_id, amount, credit,
                  (select kind from ledger_accounts where id = debit) as debit
             from submissions join notifications on notifications.ref = submissions.id
             join (select notification_id as id from outbox union all select unnest(notification_ids) from outbox_groups)
               as waiting on waiting.id = notifications.id
             join (select ref, amount, credit, debit from ledger_transfers) as moved on moved.ref = submissions.id
            where submissions.id = any ($1) and kind = 'submission_approved' order by credit`,
          [ids],
        )
      ).rows
    const rows = await rowsOf(together)
    assert.equal(rows.length, 2)
    assert.deepEqual(rows, await rowsOf(alone))
  })

  test('concurrent approvals and rejections pay each once', async () => {
    for (let round = 0; round < 4; round++) {
      const buyer = await aBuyer(db.database)
      const workers = await Promise.all(Array.from({ length: 6 }, () => aWorker(db.database)))
      const ids = await submissionsOf(buyer, workers)
      const results = await Promise.allSettled([
        approveSubmissions(db.database, ids, buyer.id),
        approveSubmissions(db.database, ids.toReversed(), buyer.id),
        ...ids.map((id) => approveSubmission(db.database, id, buyer.id)),
        rejectSubmission(db.database, noAppeals, ids[2] ?? '', buyer.id, { reason: 'It is empty' }),
      ])
      const { codes } = outcomes(results)
      assert.ok(codes.every((code) => code === 'already_decided'))
      const paid = await Promise.all(workers.map((worker) => balanceOf(db.database, worker)))
      const rejected = results.at(-1)?.status === 'fulfilled'
      assert.deepEqual(
        paid,
        workers.map((_, index) => (rejected && index === 2 ? 10 : 13)),
      )
    }
  })

  test('two buyers who pay the same workers at once do not deadlock', async () => {
    const workers = await Promise.all(Array.from({ length: 60 }, () => aWorker(db.database)))
    // Straight to the pool: the database's own queries retry after a deadlock.
    const approve = (ids: string[], buyer: TestUser) =>
      db.database.pool.query('select * from approve_submissions($1, $2)', [ids, buyer.id])
    for (let round = 0; round < 3; round++) {
      const one = await aBuyer(db.database, { coins: 500 })
      const other = await aBuyer(db.database, { coins: 500 })
      const first = await submissionsOf(one, workers)
      const second = await submissionsOf(other, workers.toReversed())
      await Promise.all([approve(first, one), approve(second, other)])
    }
  })

  test('a frozen buyer approves nothing', async () => {
    const { buyer, worker, submissionId } = await aPendingSubmission(db.database, { reward: 25 })
    await freezeUser(db.database, buyer.id, (await anAdmin(db.database)).id, 'A check')
    const results = await Promise.allSettled([approveSubmissions(db.database, [submissionId], buyer.id)])
    assert.deepEqual(outcomes(results).codes, ['account_frozen'])
    assert.equal(await balanceOf(db.database, worker), 10)
  })
})
