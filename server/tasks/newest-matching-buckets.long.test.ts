import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { LIST_LIMIT_MAX } from '#contract/product.ts'
import { useDatabase } from '#tests/support/database.ts'
import { aBuyer, dayFromNow } from '#tests/support/factories.ts'
import { listTasks } from './list.ts'

/** Buckets of every size begin at these milliseconds. The second is two of the largest buckets, a hundred days, earlier. */
const STARTS = [0x019600000000, 0x019400000000]
const DIGITS = [4, 5, 6, 7]
/** How many buckets before a start a group of buckets may end: 4, 20, 84 and 340, or as many of the next size; and those beside them. */
const EDGES = [0, 1, 2, 3, 4, 5, 15, 16, 19, 20, 21, 22, 83, 84, 339, 340]
const MINUTE = 60_000
const DAY = 1440 * MINUTE

const idAt = (ms: number, rest: string) =>
  Math.floor(ms).toString(16).padStart(12, '0') + rest.padEnd(20, rest)

/** The first id of each bucket at an edge, and the last id of the bucket before it; newest first. */
const EDGE_IDS = [
  ...new Set(
    STARTS.flatMap((start) =>
      DIGITS.flatMap((digits) =>
        EDGES.map((count) => start - count * 16 ** (12 - digits))
          .filter((first) => first > 0)
          .flatMap((first) => [idAt(first, '0'), idAt(first - 1, 'f')]),
      ),
    ),
  ),
].toSorted((one, other) => (one < other ? 1 : -1))

type World = { database: ReturnType<typeof useDatabase>['database']; buyerId: string }

/** Adds tasks whose titles contain this word, and another that each two neighbours share. */
async function addTasks({ database, buyerId }: World, kind: string, ids: string[]): Promise<void> {
  await database.pool.query(
    `select add_task(id::uuid, $2, format('%s %spair%s', $3::text, $3, 1000 + (number + 1) / 2), 'Detail', 'Proof',
                     '', 1, 1, $4, 'Asia/Dhaka', 0)
       from unnest($1::text[]) with ordinality as new (id, number)`,
    [ids, buyerId, kind, dayFromNow(7)],
  )
}

const SCOPES = ['all', 'open'] as const
const CONDITIONS = { all: 'deleted_at is null', open: 'closed_at is null' }

/** Finds the tasks of a list that contain a word without an index, newest first. */
async function plainList({ database }: World, scope: (typeof SCOPES)[number]) {
  const { rows } = await database.pool.query<{ id: string; title: string }>(
    `select id, title from tasks where ${CONDITIONS[scope]} and listed_from <= now() order by id desc`,
  )
  const listed = (word: string) =>
    rows.filter(({ title }) => title.split(' ').includes(word)).map(({ id }) => id)
  return { scope, listed }
}

/** In one scope and the next in turn: the two tasks of each edge, and pages of all. */
const SEARCHES: [q: string, limit: number][] = [
  ...EDGE_IDS.flatMap((_, index): [string, number][] =>
    index % 2 === 0 ? [[`edgepair${1001 + index / 2}`, 2]] : [],
  ),
  ['edge', 1],
  ['edge', 1],
  ['edge', LIST_LIMIT_MAX],
  ['edge', LIST_LIMIT_MAX],
]

// The time between the nearest tasks decides with which buckets a search begins. The number is their digits.
const SPANS: [name: string, ms: number, digits: number][] = [
  ['minutes', 15 * MINUTE, 7],
  ['hours', 240 * MINUTE, 6],
  ['days', 2 * DAY, 5],
  ['weeks', 40 * DAY, 4],
  ['a year', 365 * DAY, 4],
]

for (const [name, ms, digits] of SPANS)
  describe(`the search of older tasks than a page posted in ${name}`, () => {
    const db = useDatabase()
    let world: World
    /**
     * The nearest tasks begin in the first bucket after the first start. At the second they begin with the first id of the
     * fourth, so that the groups of 4 and 16 buckets end where a bucket of the next size ends.
     */
    const nearestOf = (start: number) => start + (start === STARTS[0] ? 0 : 4 * 16 ** (12 - digits))

    before(async () => {
      const buyer = await aBuyer(db.database, { coins: 1000 })
      world = { database: db.database, buyerId: buyer.id }
      await addTasks(world, 'edge', EDGE_IDS)
      for (const start of STARTS)
        await addTasks(
          world,
          'near',
          Array.from({ length: 256 }, (_, number) =>
            idAt(nearestOf(start) + (ms / 256) * number, start === STARTS[0] ? '7' : '0'),
          ),
        )
      const { pool } = db.database
      const eleventh = (rest: number) =>
        `select id from (select id, row_number() over (order by id) as number from tasks where title like 'edge %') as numbered where number % 11 = ${rest}`
      await pool.query(`select close_task(id, 'buyer') from (${eleventh(1)}) as chosen`)
      await pool.query(`select delete_task(id, $1, false) from (${eleventh(4)}) as chosen`, [buyer.id])
      await pool.query(`update tasks set listed_from = 'infinity' where id in (${eleventh(7)})`)
    })

    test('finds those at the edges of buckets', async () => {
      const lists = await Promise.all(SCOPES.map((scope) => plainList(world, scope)))
      for (const start of STARTS) {
        const after = start === STARTS[0] ? null : asUuid(idAt(nearestOf(start) + ms, 'f'))
        for (const [turn, [q, limit]] of SEARCHES.entries()) {
          const { scope, listed } = lists[turn % lists.length] ?? assert.fail()
          const found = await listTasks(db.database, { scope, sort: 'newest', q }, [after], limit)
          const expected = listed(q).filter((id) => after === null || id < after)
          assert.deepEqual(
            found.map(({ id }) => id),
            expected.slice(0, limit),
            `${scope} ${q} after ${after}`,
          )
        }
      }
    })
  })

function asUuid(digits: string): string {
  return digits.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
}

describe('the search of few tasks', () => {
  const db = useDatabase()

  test('finds the oldest, whether they are fewer or more than one read returns', async () => {
    const buyer = await aBuyer(db.database, { coins: 1000 })
    const world = { database: db.database, buyerId: buyer.id }
    const search = async (q: string, limit: number) =>
      (await listTasks(db.database, { scope: 'all', sort: 'newest', q }, [null], limit)).map(({ id }) => id)
    assert.deepEqual(await search('old', 1), [])
    const old = [STARTS[1] ?? 0, STARTS[0] ?? 0].map((start) => asUuid(idAt(start, '7')))
    await addTasks(world, 'old', old)
    let count = old.length
    for (const target of [2, 255, 256, 257, 258]) {
      const start = (STARTS[0] ?? 0) + count * MINUTE
      await addTasks(
        world,
        'new',
        Array.from({ length: target - count }, (_, number) => idAt(start + (number + 1) * MINUTE, '7')),
      )
      count = target
      for (const limit of [1, 2, LIST_LIMIT_MAX])
        assert.deepEqual(
          await search('old', limit),
          old.toReversed().slice(0, limit),
          `${limit} of ${target} tasks`,
        )
    }
  })
})
