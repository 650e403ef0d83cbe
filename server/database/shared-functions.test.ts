import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { approveSubmission } from '#server/submissions/approve.ts'
import { useApi } from '#tests/support/api.ts'
import { eventually } from '#tests/support/eventually.ts'
import { aBuyer, aPendingSubmission, aSubmission, aTask, aWorker } from '#tests/support/factories.ts'
import { migrate } from './migrate.ts'

const SUBMISSIONS_MAX = 2000
/** Files that an upgrade has in a new version: without triggers, with functions that triggers of the requests below call. */
const CHANGED = ['database/append-only.sql', 'database/refuse.sql', 'notifications/api-events.sql']

describe('the installation of the functions that triggers need', () => {
  const api = useApi()

  /** The next start finds another version of these files installed. */
  async function setOtherVersion(paths: string[]): Promise<void> {
    await api.owner.query(`update schema_functions set sha256 = 'of another version'`)
    for (const path of paths) {
      const { rowCount } = await api.owner.query(
        `update schema_functions set files = jsonb_set(files, array[$1, 'sha256'], '"other"')
          where files ? $1`,
        [path],
      )
      assert.equal(rowCount, 1, path)
    }
  }
  /** Each function and trigger with the transaction that installed it. */
  async function installations(): Promise<Map<string, string>> {
    const { rows } = await api.owner.query<{ name: string; installed: string }>(
      `select oid::regprocedure::text as name, xmin::text as installed from pg_proc where pronamespace = 'public'::regnamespace
       union all
       select tgname || ' on ' || tgrelid::regclass, xmin::text from pg_trigger where not tgisinternal`,
    )
    return new Map(rows.map(({ name, installed }) => [name, installed]))
  }
  async function installed(work: () => Promise<unknown>): Promise<string[]> {
    const before = await installations()
    await work()
    const after = await installations()
    assert.deepEqual([...after.keys()].toSorted(), [...before.keys()].toSorted())
    return [...after].filter(([name, transaction]) => before.get(name) !== transaction).map(([name]) => name)
  }

  test('an upgrade installs the functions of files that changed, and no other', async () => {
    await setOtherVersion(['database/refuse.sql'])
    const names = await installed(() => migrate(api.owner))
    assert.ok(names.length > 0 && names.every((name) => /^refuse/.test(name)), `${names}`)
    await setOtherVersion([])
    assert.deepEqual(await installed(() => migrate(api.owner)), [])
  })

  test('functions that were dropped or replaced are installed again', async () => {
    const { rows: original } = await api.owner.query<{ text: string }>(
      `select pg_get_functiondef('refuse(text, jsonb)'::regprocedure) as text`,
    )
    await api.owner.query(`
      create or replace function refuse(p_refusal text, p_params jsonb default '{}') returns void language sql as 'select null::void';
      drop trigger tasks_closed_event on tasks`)
    await setOtherVersion([])
    await migrate(api.owner)
    const { rows } = await api.owner.query<{ text: string; triggers: number }>(
      `select pg_get_functiondef('refuse(text, jsonb)'::regprocedure) as text,
              (select count(*)::int from pg_trigger where tgname = 'tasks_closed_event') as triggers`,
    )
    assert.deepEqual(rows, [{ text: original[0]?.text, triggers: 1 }])
  })

  test('an upgrade of functions waits for no transaction', async () => {
    const { submissionId, buyer } = await aPendingSubmission(api.database)
    await setOtherVersion(CHANGED)
    const names = await api.database.transaction(async (tx) => {
      await approveSubmission(tx, submissionId, buyer.id)
      return installed(() => migrate(api.owner))
    })
    assert.ok(names.length > 1)
  })

  test('a start waits for no running pg_dump', async () => {
    const dump = await api.owner.connect()
    try {
      await dump.query('begin')
      await dump.query(`do $$ declare tables text; begin
        select string_agg(oid::regclass::text, ', ') into tables
          from pg_class where relkind in ('r', 'p') and relnamespace = 'public'::regnamespace;
        execute 'lock table ' || tables || ' in access share mode';
      end $$`)
      assert.deepEqual(await migrate(api.owner), [])
    } finally {
      await dump.query('rollback')
      dump.release()
    }
  })

  test('no request fails while functions are installed', async () => {
    const buyer = await aBuyer(api.database, { coins: SUBMISSIONS_MAX })
    const taskId = await aTask(api.database, buyer, { slots: SUBMISSIONS_MAX, reward: 1 })
    const statuses = new Map<number, number>()
    let upgrading = true
    let submitted = 0
    async function load(): Promise<void> {
      while (upgrading && submitted++ < SUBMISSIONS_MAX) {
        const submission = await aSubmission(api.database, taskId, await aWorker(api.database))
        for (const response of [
          await api.as(buyer).patch(`/update-submission-status/${submission}`, { status: 'approved' }),
          await api.as(buyer).delete(`/submission-reject/${submission}`, { reason: 'No', category: 'wrong' }),
          await api.as(buyer).get(`/my-task/${encodeURIComponent(buyer.email)}`),
        ])
          statuses.set(response.status, (statuses.get(response.status) ?? 0) + 1)
      }
    }
    const running = [load(), load(), load()]
    try {
      await eventually(() => statuses.has(409))
      for (let upgrade = 0; upgrade < 5; upgrade++) {
        await setOtherVersion(CHANGED)
        assert.ok((await installed(() => migrate(api.owner))).length > 1)
      }
    } finally {
      upgrading = false
    }
    await Promise.all(running)
    // A rejection of approved work is refused by the function that is replaced.
    assert.deepEqual(new Set(statuses.keys()), new Set([200, 409]))
  })
})
