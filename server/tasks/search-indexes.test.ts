import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type pg from 'pg'
import { useDatabase } from '#tests/support/database.ts'
import { aBuyer, aTask } from '#tests/support/factories.ts'
import { listTasks } from './list.ts'
import { rebuildSearchIndexes } from './search-indexes.ts'

const MB = 1024 * 1024

describe('the indexes of the task search', () => {
  const db = useDatabase({ isNew: true })

  async function withOwner<Result>(work: (owner: pg.PoolClient) => Promise<Result>): Promise<Result> {
    const owner = await db.owner.connect()
    try {
      return await work(owner)
    } finally {
      owner.release()
    }
  }
  const sizeOf = async (index: string) => {
    const { rows } = await db.owner.query('select pg_relation_size($1::regclass)::int as bytes', [index])
    return Number(rows[0].bytes)
  }

  test('shrink when edits with ever new words made them larger than their table', async () => {
    const id = await aTask(db.database, await aBuyer(db.database))
    for (let edit = 0; edit < 60; edit++)
      await db.database.pool.query(
        `update tasks set detail = (select string_agg(md5($2 || word), ' ') from generate_series(1, 600) as word)
          where id = $1`,
        [id, String(edit)],
      )
    await db.owner.query('vacuum tasks')
    const before = await sizeOf('tasks_search_open_by_time')
    assert.ok(before > MB, String(before))
    // An invalid index, as an unfinished rebuild leaves it.
    await db.owner.query(
      'create index tasks_search_open_by_time_ccnew on tasks using gin (search) where closed_at is null',
    )
    await db.owner.query(
      `update pg_index set indisvalid = false where indexrelid = 'tasks_search_open_by_time_ccnew'::regclass`,
    )

    // Another instance is rebuilding them.
    const whileLocked = await withOwner(async (other) => {
      await other.query('select pg_advisory_lock(7461009)')
      const rebuilt = await withOwner((owner) => rebuildSearchIndexes(owner, MB))
      await other.query('select pg_advisory_unlock(7461009)')
      return rebuilt
    })
    assert.deepEqual(whileLocked, [])
    assert.deepEqual(await withOwner((owner) => rebuildSearchIndexes(owner, MB)), [
      'tasks_search_open_by_time',
    ])
    assert.ok((await sizeOf('tasks_search_open_by_time')) < before / 5)
    const { rows } = await db.owner.query(
      `select relname from pg_class where starts_with(relname, 'tasks_search_') order by 1`,
    )
    assert.deepEqual(
      rows.map(({ relname }) => relname),
      ['tasks_search_closed_by_time', 'tasks_search_open_by_time'],
    )
    const { rows: words } = await db.owner.query(`select left(md5('591'), 8) as word`)
    const found = await listTasks(
      db.database,
      { scope: 'all', sort: 'newest', q: words[0].word },
      [null],
      100,
    )
    assert.equal(found.length, 1)
    assert.deepEqual(await withOwner((owner) => rebuildSearchIndexes(owner, MB)), [])
  })
})
