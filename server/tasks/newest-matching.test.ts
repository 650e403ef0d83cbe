import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { LIST_LIMIT_MAX } from '#contract/product.ts'
import { ownFunctions } from '#server/database/function-set.ts'
import { searchWords } from '#server/database/search-words.ts'
import { useDatabase } from '#tests/support/database.ts'
import { aBuyer, dayFromNow } from '#tests/support/factories.ts'
import { type Filter, listTasks } from './list.ts'
import { buildListQuery } from './list-query.ts'

const TASKS = 1300

/**
 * The age of a task in seconds. The newest hundreds are posted within minutes and the oldest over years, so that pages
 * begin and end in buckets of every size.
 */
const AGE = 'exp(number * 18.0 / 1300)'

const SCOPES = {
  all: 'deleted_at is null',
  workers: 'closed_at is null',
  open: 'closed_at is null and slots_left > 0 and held_at is null',
}

/** How often each word occurs; `ancient` among the oldest fifty only. */
const TITLE = `concat_ws(' ', 'common', case when number % 7 = 0 then 'কাজ' end, case when number % 40 = 3 then 'medium' end,
  case when number % 300 = 11 then 'বিরল' end, case when number > 1250 then 'ancient' end,
  case number % 90 when 7 then 'সম\u09dfসূচি' when 8 then 'সম\u09af\u09bcসূচি' when 9 then 'র\u200d\u09cd\u09afাম' end,
  case number % 120 when 5 then 'caf\u00e9' when 6 then 'cafe\u0301s' end,
  case when number % 2 = 0 then 'even' else 'odd' end)`

const SEARCHES: [q: string, limit: number][] = [
  ['common', LIST_LIMIT_MAX],
  ['medium', 7],
  ['medi odd', 20],
  ['কাজ', 30],
  ['কা even', 30],
  ['বিরল', 1],
  ['বিরল', 2],
  ['বির medium', 20],
  ['ancient', 20],
  ['ancient কাজ', 1],
  ['nothing', 20],
]

/** Words that titles have in several sequences of code points, and one with a joiner. */
const SPELLINGS: [q: string, limit: number][] = [
  ['সম\u09df', 20],
  ['সম\u09af\u09bc', 7],
  ['সম\u09dfসূচি', 20],
  ['সম\u09af\u09bcসূচি', 25],
  ['র\u200d\u09cd\u09af', 5],
  ['র\u200d\u09cd\u09afাম', 10],
  ['caf\u00e9', 20],
  ['CAFE\u0301', 7],
]

describe('the search of the newest tasks', () => {
  const db = useDatabase()

  before(async () => {
    const buyer = await aBuyer(db.database, { coins: TASKS * 2 })
    const { pool } = db.database
    for (let from = 1; from <= TASKS; from += 100)
      await pool.query(
        `select add_task((lpad(to_hex((extract(epoch from now()) * 1000 - 1000 * ${AGE})::bigint), 12, '0') || '7000a000'
                          || lpad(to_hex(number), 12, '0'))::uuid,
                       $1, ${TITLE}, 'Detail', 'Proof', '', 1, 1 + number % 2, $2, 'Asia/Dhaka', 0)
         from generate_series($3::int, $3 + 99) as number`,
        [buyer.id, dayFromNow(7), from],
      )
    await pool.query(`select close_task(id, 'buyer') from (select id from tasks order by id limit 850) as old
                       where ('x' || right(id::text, 2))::bit(8)::int % 3 > 0`)
  })

  /** The ids of the pages of a list, each after the last row of the page before. */
  async function idsByPages(filter: Filter, limit: number): Promise<string[]> {
    const ids: string[] = []
    for (;;) {
      const rows = await listTasks(db.database, filter, [ids.at(-1) ?? null], limit)
      ids.push(...rows.map(({ id }) => id))
      if (rows.length < limit) return ids
    }
  }

  async function idsByPlainQuery({ scope, q, payMin, category }: Filter): Promise<string[]> {
    const { rows } = await db.database.pool.query<{ id: string }>(
      `select id from tasks where ${SCOPES[scope]} and search @@ to_tsquery('simple', $1) and reward >= $2
          and category = coalesce($3, category) order by id desc`,
      [searchWords(q ?? ''), payMin ?? 0, category ?? null],
    )
    return rows.map(({ id }) => id)
  }

  for (const scope of ['all', 'workers', 'open'] as const)
    test(`finds the same ${scope} tasks as a plain query, page by page`, async () => {
      for (const [q, limit] of SEARCHES) {
        const filter = { scope, sort: 'newest', q } as const
        assert.deepEqual(await idsByPages(filter, limit), await idsByPlainQuery(filter), q)
      }
    })

  test('finds a word whichever code points its letters have, and one with a joiner', async () => {
    for (const [q, limit] of SPELLINGS) {
      const { rows } = await db.database.pool.query<{ id: string }>(
        `select id from tasks where deleted_at is null and normalize(lower(title)) like '%' || normalize(lower($1)) || '%'
          order by id desc`,
        [q],
      )
      assert.ok(rows.length > limit, q)
      assert.deepEqual(
        await idsByPages({ scope: 'all', sort: 'newest', q }, limit),
        rows.map(({ id }) => id),
        q,
      )
    }
  })

  test('checks rewards and categories too', async () => {
    const paid = { scope: 'all', sort: 'newest', q: 'medium', payMin: 2, category: 'other' } as const
    const found = await idsByPages(paid, 9)
    assert.ok(found.length > 10)
    assert.deepEqual(found, await idsByPlainQuery(paid))
    assert.deepEqual(await idsByPages({ ...paid, category: 'survey' }, 9), [])
  })

  test('is planned with one estimate, whatever the words', async () => {
    await db.owner.query('analyze tasks')
    const shape = {
      scope: 'all',
      sort: 'newest',
      next: false,
      reward: false,
      category: false,
      unlisted: false,
    } as const
    const { sql } = buildListQuery({ ...shape, search: true })
    const client = await db.database.pool.connect()
    try {
      await client.query('set plan_cache_mode = force_custom_plan')
      await client.query(`prepare search as ${ownFunctions().qualify(sql)}`)
      const estimates = new Set<string>()
      for (const words of ['common', 'ancient', 'nothing']) {
        const { rows } = await client.query<{ 'QUERY PLAN': string }>(
          `explain execute search (20, '''${words}''')`,
        )
        estimates.add(rows.map((row) => row['QUERY PLAN']).join('\n'))
      }
      assert.equal(estimates.size, 1, [...estimates].join('\n\n'))
    } finally {
      client.release(true)
    }
  })
})
