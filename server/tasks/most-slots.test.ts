import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { searchWords } from '#server/database/search-words.ts'
import { useDatabase } from '#tests/support/database.ts'
import { aBuyer, aWorker, dayFromNow } from '#tests/support/factories.ts'
import { type Filter, keyOfSort, listTasks } from './list.ts'
import type { ListShape } from './list-query.ts'

const TASKS = 2400

const SCOPES: Record<ListShape['scope'], string> = {
  all: 'deleted_at is null',
  workers: 'closed_at is null',
  open: 'closed_at is null and slots_left > 0 and held_at is null',
}

/** How often each word occurs; `crowded` in tasks with many free slots only. */
const TITLE = `concat_ws(' ', 'common', case when number % 33 = 4 then 'medium' end, case when number % 300 = 11 then 'বিরল' end,
  case when number % 5 = 4 then 'crowded' end)`

type Filters = Omit<Filter, 'scope' | 'sort'>
const FILTERS: [filters: Filters, limit: number][] = [
  [{}, 100],
  [{ q: 'common' }, 100],
  [{ q: 'medium' }, 7],
  [{ q: 'crowded medium' }, 4],
  [{ q: 'বিরল' }, 2],
  [{ q: 'nothing' }, 20],
  [{ payMin: 3 }, 90],
  [{ payMin: 2, payMax: 2, q: 'medium' }, 5],
  [{ category: 'survey' }, 80],
  [{ category: 'survey', q: 'common', payMax: 3 }, 50],
]

describe('the list of tasks with the most free slots first', () => {
  const db = useDatabase()

  before(async () => {
    const buyer = await aBuyer(db.database, { coins: TASKS * 20 })
    const worker = await aWorker(db.database)
    const { pool } = db.database
    const run = (sql: string, values: unknown[] = []) => pool.query(sql, values)
    for (let from = 1; from <= TASKS; from += 300)
      await run(
        `select add_task((lpad(to_hex((extract(epoch from now()) * 1000)::bigint - 1000 * number), 12, '0') || '7000a000'
                          || lpad(to_hex(number), 12, '0'))::uuid,
                       $1, ${TITLE}, 'Detail', 'Proof', '', 1 + number % 5, 1 + number % 4, $2, 'Asia/Dhaka', 0)
         from generate_series($3::int, $3 + 299) as number`,
        [buyer.id, dayFromNow(7), from],
      )
    const idsOf = (condition: string) => `(select id from tasks where ${condition} order by id) as tasks`
    const number = `('x' || right(id::text, 6))::bit(24)::int`
    await db.owner.query(`update tasks set category = 'survey' where ${number} % 3 = 1`)
    await run(`select reserve_slot(gen_random_uuid(), id, $1, 10000) from ${idsOf(`${number} % 2 = 0`)}`, [
      worker.id,
    ])
    await run(`select close_task(id, 'buyer') from ${idsOf(`${number} % 7 < 3`)}`)
    await run(`select delete_task(id, $1, false) from ${idsOf(`${number} % 70 = 1`)}`, [buyer.id])
  })

  /** The ids of the pages of a list, each after the last row of the page before. */
  async function idsByPages(filter: Filter, limit: number): Promise<string[]> {
    const { key } = keyOfSort('slots')
    const ids: string[] = []
    let after: (string | number | null)[] = [null, null]
    for (;;) {
      const rows = await listTasks(db.database, filter, after, limit)
      ids.push(...rows.map(({ id }) => id))
      const last = rows.at(-1)
      if (rows.length < limit || last === undefined) return ids
      after = key(last)
    }
  }

  async function idsByPlainQuery({ scope, q, payMin, payMax, category }: Filter): Promise<string[]> {
    const { rows } = await db.database.pool.query<{ id: string }>(
      `select id from tasks
        where ${SCOPES[scope]} and ($1::text is null or search @@ to_tsquery('simple', $1))
          and reward between coalesce($2, 0) and coalesce($3, 1000) and category = coalesce($4, category)
        order by slots_left desc, id desc`,
      [q === undefined ? null : searchWords(q), payMin, payMax, category],
    )
    return rows.map(({ id }) => id)
  }

  for (const scope of ['all', 'workers', 'open'] as const)
    test(`has the same ${scope} tasks as a plain query, page by page`, async () => {
      for (const [filters, limit] of FILTERS) {
        const filter = { scope, sort: 'slots', ...filters } as const
        const expected = await idsByPlainQuery(filter)
        assert.ok(filters.q === 'nothing' || expected.length > limit, JSON.stringify(filters))
        assert.deepEqual(await idsByPages(filter, limit), expected, JSON.stringify(filters))
      }
    })

  test('continues after a cursor that no task has', async () => {
    const page = async (scope: ListShape['scope'], slots: number, id: string) =>
      (await listTasks(db.database, { scope, sort: 'slots' }, [slots, id], 5)).map((row) => [
        row.slots_left,
        row.id,
      ])
    const [middle] = (
      await db.database.pool.query(`select id from tasks order by id offset ${TASKS / 2} limit 1`)
    ).rows
    const id = `${middle.id.slice(0, -1)}${middle.id.endsWith('0') ? 1 : 0}`
    for (const scope of ['all', 'workers', 'open'] as const)
      for (const slots of [-1, 0, 3, 1000]) {
        const { rows } = await db.database.pool.query(
          `select slots_left, id from tasks where ${SCOPES[scope]} and (slots_left, id) < ($1, $2)
            order by slots_left desc, id desc limit 5`,
          [slots, id],
        )
        assert.deepEqual(
          await page(scope, slots, id),
          rows.map((row) => [row.slots_left, row.id]),
          `${scope} ${slots}`,
        )
      }
  })
})
