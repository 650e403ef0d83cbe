import assert from 'node:assert/strict'
import { readdir } from 'node:fs/promises'
import { describe, test } from 'node:test'
import type { Database } from '#server/database/database.ts'
import { functionSet } from '#server/database/function-set.ts'
import { migrate } from '#server/database/migrate.ts'
import { grantServerPrivileges, SERVER_ROLE } from '#server/database/server-role.ts'
import { closeTask } from '#server/tasks/close.ts'
import { listTasks } from '#server/tasks/list.ts'
import { reopenTask } from '#server/tasks/reopen.ts'
import { reserveSlot, returnReservation } from '#server/tasks/reserve.ts'
import { type BackgroundLoad, startBackgroundLoad } from '#tests/support/background-load.ts'
import { expectBooksToBalance } from '#tests/support/books.ts'
import { openPooled } from '#tests/support/database.ts'
import { eventually, jitter } from '#tests/support/eventually.ts'
import { aBuyer, aTask, aWorker, dayFromNow, type TestUser, testConfig } from '#tests/support/factories.ts'
import {
  earlierFiles,
  killUpgrade,
  MIGRATIONS,
  type OlderDatabase,
  useOlderDatabases,
  waitsForRow,
} from '#tests/support/older-database.ts'

/** The first migration that the version before does not have. */
const FIRST = '0298'
/** More than two batches. */
const TASKS = 2300

const functionsBefore = () =>
  functionSet(earlierFiles().filter(({ path }) => !/\/(open-slots|submission-keys)\.sql$/.test(path)))

describe('an upgrade from the version before open_task_slots', () => {
  type Marketplace = OlderDatabase & { buyer: TestUser; tasks: string[] }
  /** Posts tasks of several batches. */
  const { inAnOlderDatabase } = useOlderDatabases(FIRST, functionsBefore, async ({ older, owner }) => {
    const buyer = await aBuyer(older, { coins: 100_000 })
    await older.run(
      {
        name: 'test_tasks',
        sql: `select add_task(gen_random_uuid(), $1, 'Title', 'Detail', 'Proof', '', 1 + number % 4, 1, $2, 'Asia/Dhaka', 0)
                from generate_series(1, ${TASKS}) as number`,
      },
      [buyer.id, dayFromNow(7)],
    )
    const { rows } = await owner.query<{ id: string }>('select id from tasks order by id')
    return { buyer, tasks: rows.map(({ id }) => id) }
  })

  /** Posts, reserves, returns, closes and reopens until the upgrade is over, on tasks of all batches. */
  async function writeAllTheTime({ older, buyer, tasks }: Marketplace): Promise<BackgroundLoad> {
    const workers = await Promise.all([0, 1, 2].map(() => aWorker(older)))
    return startBackgroundLoad(workers.length, async (loop, round) => {
      const taskId = tasks[((loop + 3 * round) * 97) % tasks.length] ?? ''
      const worker = workers[loop]?.id ?? ''
      await reserveSlot(older, testConfig, taskId, worker)
      await closeTask(older, taskId, buyer.id)
      await reopenTask(older, testConfig, taskId, buyer.id, null)
      await returnReservation(older, taskId, worker)
      await aTask(older, buyer, { slots: 2, reward: 1 })
      // The upgrade meets these statements in any order; without a pause most of its time would be theirs.
      await jitter(40)
    })
  }

  /** Checks with an instance of this version that its list has all open tasks in order, and audits the books. */
  async function expectUpgraded({ url, owner, older, buyer }: Marketplace) {
    await grantServerPrivileges(owner, SERVER_ROLE)
    const newer = openPooled(url)
    const first = (instance: Database) =>
      listTasks(instance, { scope: 'workers', sort: 'slots' }, [null, null], 100)
    try {
      await aTask(older, buyer, { slots: 7, reward: 1 })
      const { rows } = await owner.query<{ id: string }>(
        'select id from tasks where closed_at is null order by slots_left desc, id desc limit 100',
      )
      assert.deepEqual(
        (await first(newer)).map(({ id }) => id),
        rows.map(({ id }) => id),
      )
      const {
        rows: [count],
      } = await owner.query(
        'select (select count(*)::int from tasks where closed_at is null) as open, (select count(*)::int from open_task_slots) as listed',
      )
      assert.equal(count.listed, count.open)
      await expectBooksToBalance(newer)
    } finally {
      await newer.close()
    }
  }

  test('runs while older instances take slots: none fails, and each open task is listed', async () => {
    await inAnOlderDatabase(async (marketplace) => {
      const { owner } = marketplace
      const load = await writeAllTheTime(marketplace)
      const lines: string[] = []
      let ran: string[]
      try {
        await eventually(() => load.completed() > 5)
        ran = await migrate(owner, undefined, undefined, (line) => lines.push(line))
        const enough = load.completed() + 5
        await eventually(() => load.completed() > enough)
      } finally {
        await load.stop()
      }
      assert.deepEqual(ran.toSorted(), (await readdir(MIGRATIONS)).filter((name) => name >= FIRST).toSorted())
      assert.match(lines.join(), /0299_earlier_open_task_slots.batches.sql runs in batches/)
      await expectUpgraded(marketplace)
      assert.deepEqual(await migrate(owner), [])
    })
  })

  test('that is killed between two batches is continued, also after slots were taken', async () => {
    await inAnOlderDatabase(async (marketplace) => {
      const { url, owner, older, tasks } = marketplace
      const worker = await aWorker(older)
      const [early, late] = [tasks[10] ?? '', tasks[1500] ?? '']
      const copied = async () => (await owner.query('select from open_task_slots')).rowCount ?? 0
      // The second batch waits for a task that somebody changes.
      const holder = await owner.connect()
      await holder.query('begin')
      await holder.query('select from tasks where id = $1 for no key update', [late])
      await killUpgrade(url, () => waitsForRow(owner))
      await holder.query('commit')
      holder.release()
      assert.equal(await copied(), 1000)

      for (const taskId of [early, late]) await reserveSlot(older, testConfig, taskId, worker.id)
      assert.equal(await copied(), 1001)
      await closeTask(older, tasks[1600] ?? '', marketplace.buyer.id)
      await migrate(owner)
      assert.equal(await copied(), TASKS - 1)
      await expectUpgraded(marketplace)
    })
  })

  test('of two instances at the same moment lists each task once', async () => {
    await inAnOlderDatabase(async (marketplace) => {
      await Promise.all([1, 2].map(() => migrate(marketplace.owner)))
      await expectUpgraded(marketplace)
    })
  })
})
