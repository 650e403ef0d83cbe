import assert from 'node:assert/strict'
import { cp, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import pg from 'pg'
import type { Database } from '#server/database/database.ts'
import { functionSet } from '#server/database/function-set.ts'
import { migrate } from '#server/database/migrate.ts'
import { partitionsOf } from '#server/database/partitions.ts'
import { grantServerPrivileges, SERVER_ROLE } from '#server/database/server-role.ts'
import { approveSubmission } from '#server/submissions/approve.ts'
import { acceptRejection, concedeRejection } from '#server/submissions/end-dispute.ts'
import { rejectSubmission } from '#server/submissions/reject.ts'
import { requestRevision, reviseSubmission } from '#server/submissions/revise.ts'
import { startBackgroundLoad } from '#tests/support/background-load.ts'
import { expectBooksToBalance } from '#tests/support/books.ts'
import { openPooled } from '#tests/support/database.ts'
import { eventually } from '#tests/support/eventually.ts'
import {
  aBuyer,
  aSubmission,
  aTask,
  atOnce,
  aWorker,
  noAppeals,
  outcomes,
  type TestUser,
  testConfig,
} from '#tests/support/factories.ts'
import {
  appliedFrom,
  earlierFiles,
  killUpgrade,
  MIGRATIONS,
  type OlderDatabase,
  useOlderDatabases,
  waitsForRow,
  waitsForTable,
} from '#tests/support/older-database.ts'

/** The first migration that the version before does not have. */
const FIRST = '0301'
const EARLIER = 12_000
/** A buyer who has rejected much rejects alone. */
const ALONE = { ...testConfig, massRejection: { ...testConfig.massRejection, percent: 100 } }
const REASON = { reason: 'Not what I asked for' }

/** The functions as the version before has them, without keys. */
function functionsBefore() {
  const files = earlierFiles()
    .filter(({ path }) => !path.endsWith('submission-keys.sql') && !path.endsWith('partition-writes.sql'))
    .map((file) => ({
      ...file,
      sql: file.sql.replace(
        /from submission_keys (where .* item_number is null)\)/,
        'from submissions $1 and rejected_at is null)',
      ),
    }))
  for (const { path, sql } of files) assert.doesNotMatch(sql, /submission_keys/, path)
  return functionSet(files)
}

describe('an upgrade from the version before partitions of submissions', () => {
  type Marketplace = OlderDatabase & { buyer: TestUser; taskId: string }
  /** Submits work of several batches. */
  const databases = useOlderDatabases(FIRST, functionsBefore, async ({ older, owner }) => {
    const buyer = await aBuyer(older, { coins: 100_000 })
    const taskId = await aTask(older, buyer, { slots: 1000 })
    const worker = await aWorker(older)
    // Work on items that was rejected: each has a key, and no coins.
    await owner.query(
      `insert into submissions (id, task_id, worker_id, buyer_id, reward, text, due_at, status, rejected_at, decided_at, decided_by, item_number, answers)
       select (lpad(to_hex(1700000000000 + n), 12, '0') || '7000800000000000' || lpad(to_hex(n), 4, '0'))::uuid, $1, $2, $3, 10, 'Work',
              now(), 'rejected', now(), now(), 'buyer', n, '{}' from generate_series(1, ${EARLIER}) as n`,
      [taskId, worker.id, buyer.id],
    )
    return { buyer, taskId }
  })
  const { inAnOlderDatabase } = databases

  /** Does with work what buyers and workers do, by turns. */
  async function doWork(instance: Database, { buyer, taskId }: Marketplace, turn: number): Promise<void> {
    const worker = await aWorker(instance)
    const both = outcomes(await atOnce(2, () => aSubmission(instance, taskId, worker)))
    assert.deepEqual(both, { good: 1, codes: ['already_submitted'] })
    const { rows } = await instance.pool.query('select id from submissions where worker_id = $1', [worker.id])
    const id: string = rows[0].id
    const kinds = [
      () => approveSubmission(instance, id, buyer.id),
      async () => {
        await rejectSubmission(instance, noAppeals, id, buyer.id, REASON)
        await approveSubmission(instance, await aSubmission(instance, taskId, worker), buyer.id)
      },
      async () => {
        await requestRevision(instance, id, buyer.id, 'A line is missing')
        await reviseSubmission(instance, testConfig, id, worker.id, 'With the line')
      },
      async () => {
        await rejectSubmission(instance, ALONE, id, buyer.id, REASON)
        await concedeRejection(instance, id, buyer.id)
      },
      async () => {
        await rejectSubmission(instance, ALONE, id, buyer.id, REASON)
        await acceptRejection(instance, id, worker.id)
      },
    ]
    await kinds[turn % kinds.length]?.()
  }
  const KINDS = 5
  /** Both versions work, and the books balance. */
  async function expectUpgraded(marketplace: Marketplace): Promise<void> {
    const { url, owner, older } = marketplace
    await grantServerPrivileges(owner, SERVER_ROLE)
    const newer = openPooled(url)
    try {
      for (let turn = 0; turn < KINDS; turn++)
        await Promise.all([older, newer].map((instance) => doWork(instance, marketplace, turn)))
      const { rows } = await owner.query(
        `select (select count(*)::int from submission_keys where item_number is not null) as items,
                (select count(*)::int from pg_constraint where confrelid = 'submissions'::regclass and convalidated and conparentid = 0) as validated,
                (select count(*)::int from pg_proc as earlier
                  where pg_get_function_arguments(oid) ~ 'submissions_1' and not exists (
                    select from pg_proc where proname = earlier.proname and pronamespace = earlier.pronamespace
                       and pg_get_function_arguments(oid) = regexp_replace(pg_get_function_arguments(earlier.oid), '\\msubmissions_1\\M', 'submissions'))) as stale`,
      )
      assert.deepEqual(rows, [{ items: EARLIER, validated: 4, stale: 0 }])
      assert.equal((await partitionsOf(owner, 'submissions')).length, 1)
      await expectBooksToBalance(newer)
    } finally {
      await newer.close()
    }
  }

  test('runs while older instances work: nothing fails, and each submission has its key', async () => {
    await inAnOlderDatabase(async (marketplace) => {
      const { owner, older } = marketplace
      const load = startBackgroundLoad(3, (loop, round) => doWork(older, marketplace, loop + round))
      const lines: string[] = []
      let ran: string[]
      try {
        await eventually(() => load.completed() > 2 * KINDS)
        ran = await migrate(owner, undefined, undefined, (line) => lines.push(line))
        const enough = load.completed() + 3 * KINDS
        await eventually(() => load.completed() > enough)
      } finally {
        await load.stop()
      }
      assert.deepEqual(ran.toSorted(), (await readdir(MIGRATIONS)).filter((name) => name >= FIRST).toSorted())
      assert.match(lines.join(), /0302_earlier_submission_keys.batches.sql runs in batches/)
      await expectUpgraded(marketplace)
      assert.deepEqual(await migrate(owner), [])
    })
  })

  test('of two instances at the same moment adds each key once', async () => {
    await inAnOlderDatabase(async (marketplace) => {
      const pools = [1, 2].map(() => new pg.Pool({ connectionString: marketplace.url, max: 1 }))
      await Promise.all(pools.map((pool) => migrate(pool)))
      await Promise.all(pools.map((pool) => pool.end()))
      await expectUpgraded(marketplace)
    })
  })

  test('that is killed between two batches, and again before the swap, is continued', async () => {
    await inAnOlderDatabase(async (marketplace) => {
      const { url, owner, older } = marketplace
      const { folder } = databases
      const everything = async () => {
        for (let turn = 0; turn < KINDS; turn++) await doWork(older, marketplace, turn)
      }
      const keys = async () =>
        Number((await owner.query('select count(*) from submission_keys')).rows[0].count)
      const applied = () => appliedFrom(owner, FIRST)
      await everything()

      // The second batch waits for a key that is not committed.
      await cp(join(MIGRATIONS, '0301_submission_keys.sql'), join(folder, '0301_submission_keys.sql'))
      try {
        await migrate(owner, folder, functionsBefore())
      } finally {
        await rm(join(folder, '0301_submission_keys.sql'))
      }
      await everything()
      const holder = await owner.connect()
      await holder.query('begin')
      await holder.query(
        `insert into submission_keys (task_id, worker_id, item_number, submission_id)
         select task_id, worker_id, item_number, id from submissions where item_number = 7000`,
      )
      await killUpgrade(url, () => waitsForRow(owner))
      await holder.query('rollback')
      assert.deepEqual(await applied(), ['0301'])
      assert.ok((await keys()) >= 5000 && (await keys()) < EARLIER)
      await everything()

      // A long read keeps the table from being renamed.
      await holder.query('begin; lock table submissions in access share mode')
      await killUpgrade(url, async () => (await applied()).includes('0302') && (await waitsForTable(owner)))
      await holder.query('commit')
      holder.release()
      assert.deepEqual(await applied(), ['0301', '0302'])
      await everything()
      await assert.rejects(migrate(owner, folder, functionsBefore()), /newer version/)
      assert.equal((await migrate(owner))[0]?.slice(0, 4), '0303')
      await everything()
      await expectUpgraded(marketplace)
    })
  })
})
