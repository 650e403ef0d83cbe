import assert from 'node:assert/strict'
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { beginFunding, fundDueBatches } from '#server/batches/fund.ts'
import { aCheckedBatch } from '#tests/support/batches.ts'
import { asServer, useDatabase } from '#tests/support/database.ts'
import { eventually } from '#tests/support/eventually.ts'
import { balanceOf, dayFromNow, testConfig } from '#tests/support/factories.ts'

const ITEMS = 30_000
const KNOWN = 300
const KILLS = 6
const COMMAND = join(import.meta.dirname, 'fund-batches-command.ts')

// The books, and the rows of each batch, are audited after the test.
describe('a process killed while it funds a batch', () => {
  const db = useDatabase()

  test('each row is exactly one item, and the coins move once', async () => {
    const { database } = db
    const { buyer, id, total } = await aCheckedBatch(database, {
      items: ITEMS,
      column: { name: 'Golden.kind', values: Array.from({ length: KNOWN }, () => 'Shop') },
    })
    const before = await balanceOf(database, buyer)
    await beginFunding(database, testConfig, id, buyer.id, { completion_date: dayFromNow(7), total })

    const read = async () =>
      (await database.pool.query('select state, items_written from batches where id = $1', [id])).rows[0]
    for (let kill = 1; kill <= KILLS; kill++) {
      const { items_written: written } = await read()
      const child = fork(COMMAND, [asServer(db.url)])
      const gone = once(child, 'exit')
      await eventually(async () => {
        const { state, items_written } = await read()
        return state === 'open' || items_written > written
      })
      child.kill('SIGKILL')
      await gone
    }
    // The last one's connection may still be writing.
    await eventually(async () => {
      await fundDueBatches(database, testConfig)
      return (await read()).state === 'open'
    })

    const { rows } = await database.pool.query(
      `select count(*)::int as items, count(distinct name)::int as names, count(golden)::int as known,
              bool_and(name > before) as in_order, max(gap) filter (where golden is not null) < 3 * $2 as is_spread
         from (select name, golden, lag(name, 1, 0) over kind as before, number - lag(number, 1, 0) over kind as gap
                 from (select number, golden, substr(input->>'name', 6)::int as name from batch_items where batch_id = $1) as items
               window kind as (partition by golden is not null order by number)) as items`,
      [id, ITEMS / KNOWN],
    )
    assert.deepEqual(rows, [{ items: ITEMS, names: ITEMS, known: KNOWN, in_order: true, is_spread: true }])
    assert.equal(await balanceOf(database, buyer), before - total)
  })
})
