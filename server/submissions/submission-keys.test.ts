import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { audit } from '#server/ledger/audit.ts'
import { useDatabase } from '#tests/support/database.ts'
import { eventually } from '#tests/support/eventually.ts'
import {
  aBuyer,
  aTask,
  atOnce,
  aWorker,
  noAppeals,
  outcomes,
  type TestUser,
} from '#tests/support/factories.ts'
import { submissionPartitions } from '#tests/support/submission-partitions.ts'
import { approveSubmission } from './approve.ts'
import { rejectSubmission } from './reject.ts'

const INSERT = `insert into submissions (id, task_id, worker_id, buyer_id, reward, text, due_at, item_number, answers)
  values ($1, $2, $3, $4, 10, 'Here is my work.', clock_time(), $5::int, case when $5::int is not null then '{}'::jsonb end)`
const UNIQUE = { code: '23505' }

describe('the submission of a worker on a task', () => {
  const db = useDatabase()
  const { rows, submit, nextId, approachNextPartition, partitionOf } = submissionPartitions(db)
  const aTaskOf = async (slots = 3) => {
    const buyer = await aBuyer(db.database, { coins: 1000 })
    return { buyer, taskId: await aTask(db.database, buyer, { slots }) }
  }
  const reject = (id: string, buyer: TestUser) =>
    rejectSubmission(db.database, noAppeals, id, buyer.id, { reason: 'Not what I asked for' })
  const keysOf = async (taskId: string) =>
    (await rows('select submission_id as id from submission_keys where task_id = $1', [taskId])).map(
      ({ id }) => id,
    )
  const insert =
    (client: { query(sql: string, values: unknown[]): Promise<unknown> }) =>
    (taskId: string, worker: TestUser, buyer: TestUser, item: number | null = null) =>
      client.query(INSERT, [nextId(), taskId, worker.id, buyer.id, item])
  /** Removes work that no slot was taken for. */
  const remove = (taskId: string) => db.owner.query('delete from submissions where task_id = $1', [taskId])

  test('is unique, also when a partition began after it, until it is rejected', async () => {
    const { buyer, taskId } = await aTaskOf()
    const worker = await aWorker(db.database)
    const first = await submit(taskId, worker)
    await approachNextPartition(0)
    const again = { good: 0, codes: ['already_submitted', 'already_submitted'] }
    assert.deepEqual(outcomes(await atOnce(2, () => submit(taskId, worker))), again)
    await assert.rejects(insert(db.owner)(taskId, worker, buyer), UNIQUE)
    assert.deepEqual(await keysOf(taskId), [first])

    await reject(first, buyer)
    assert.deepEqual(await keysOf(taskId), [])
    const second = await submit(taskId, worker)
    assert.notEqual(await partitionOf(first), await partitionOf(second))
    await approveSubmission(db.database, second, buyer.id)
    await approachNextPartition(0)
    assert.deepEqual(outcomes(await atOnce(2, () => submit(taskId, worker))), again)
    assert.deepEqual(await keysOf(taskId), [second])
  })

  test('is unique for concurrent requests on both sides of a bound', async () => {
    for (let round = 0; round < 5; round++) {
      const { taskId } = await aTaskOf()
      const worker = await aWorker(db.database)
      await approachNextPartition(4)
      const { good, codes } = outcomes(await atOnce(8, () => submit(taskId, worker)))
      assert.deepEqual([good, new Set(codes)], [1, new Set(['already_submitted'])])
    }
  })

  test('is unique without the lock of the task too, by its key', async () => {
    for (const end of ['commit', 'rollback']) {
      const { buyer, taskId } = await aTaskOf()
      const worker = await aWorker(db.database)
      await approachNextPartition(1)
      const client = await db.owner.connect()
      await client.query('begin')
      await insert(client)(taskId, worker, buyer)
      const second = insert(db.owner)(taskId, worker, buyer).then(
        () => 'made',
        ({ code }) => code,
      )
      await eventually(
        async () =>
          (
            await rows(
              `select from pg_locks where locktype = 'transactionid' and not granted
                and pid in (select pid from pg_stat_activity where datname = current_database())`,
            )
          ).length > 0,
      )
      await client.query(end)
      client.release()
      assert.equal(await second, end === 'commit' ? UNIQUE.code : 'made')
      assert.equal((await rows('select from submissions where task_id = $1', [taskId])).length, 1)
      await remove(taskId)
      assert.deepEqual(await keysOf(taskId), [])
    }
  })

  test('on an item stays unique, also after a rejection and in another partition', async () => {
    const { buyer, taskId } = await aTaskOf()
    const worker = await aWorker(db.database)
    const add = insert(db.owner)
    await add(taskId, worker, buyer, 1)
    await approachNextPartition(0)
    await assert.rejects(add(taskId, worker, buyer, 1), UNIQUE)
    await add(taskId, worker, buyer, 2)
    await add(taskId, await aWorker(db.database), buyer, 1)
    await db.owner.query('update submissions set rejected_at = clock_time() where task_id = $1', [taskId])
    assert.equal((await keysOf(taskId)).length, 3)
    await assert.rejects(add(taskId, worker, buyer, 1), UNIQUE)
    await remove(taskId)
  })

  test('is made or refused while the one before is being rejected', async () => {
    for (let round = 0; round < 10; round++) {
      const { buyer, taskId } = await aTaskOf(10)
      const worker = await aWorker(db.database)
      const first = await submit(taskId, worker)
      if (round % 2 === 0) await approachNextPartition(2)
      const results = await atOnce<unknown>(6, (index) =>
        index === 2 ? reject(first, buyer) : submit(taskId, worker),
      )
      const made = results.filter((result, index) => index !== 2 && result.status === 'fulfilled')
      assert.equal(results[2]?.status, 'fulfilled')
      assert.ok(made.length <= 1)
      assert.ok(outcomes(results).codes.every((code) => code === 'already_submitted'))
      assert.equal((await keysOf(taskId)).length, made.length)
      if (made.length === 0) await submit(taskId, worker)
    }
  })

  test('without a key, and a key without a submission, are found by the audit', async () => {
    const { buyer, taskId } = await aTaskOf()
    const [worker, other] = [await aWorker(db.database), await aWorker(db.database)]
    const id = await submit(taskId, worker)
    const rejected = await submit(taskId, other)
    await reject(rejected, buyer)
    const check = 'every submission that was not rejected has its key, and every key its submission'
    const found = async () =>
      (await audit(db.database)).checks
        .filter(({ wrong }) => wrong > 0)
        .map(({ name, wrong }) => [name, wrong])
    assert.deepEqual(await found(), [])
    const add = (worker: TestUser, item: number | null, submission: string) =>
      db.owner.query('insert into submission_keys values ($1, $2, $3, $4)', [
        taskId,
        worker.id,
        item,
        submission,
      ])
    await add(other, null, rejected)
    assert.deepEqual(await found(), [[check, 1]])
    await db.owner.query('delete from submission_keys where submission_id = $1', [rejected])
    await db.owner.query('delete from submission_keys where submission_id = $1', [id])
    assert.deepEqual(await found(), [[check, 1]])
    await add(other, null, id)
    assert.deepEqual(await found(), [[check, 1]])
    await db.owner.query('delete from submission_keys where submission_id = $1', [id])
    await add(worker, 7, id)
    assert.deepEqual(await found(), [[check, 1]])
    await db.owner.query('delete from submission_keys where submission_id = $1', [id])
    await add(worker, null, id)
    await assert.rejects(
      db.owner.query('update submission_keys set item_number = 7 where submission_id = $1', [id]),
      /append-only/,
    )
  })
})
