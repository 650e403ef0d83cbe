import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { atTime, later } from '#tests/support/clock.ts'
import { useDatabase } from '#tests/support/database.ts'
import { aBuyer, aTask } from '#tests/support/factories.ts'
import { deleteTask } from './delete.ts'
import { listTasks } from './list.ts'
import { purgeSearchTerms } from './purge-search-terms.ts'
import { updateTask } from './update.ts'

describe('search terms', () => {
  const db = useDatabase()
  const tables = ['search_terms', 'unused_search_terms']
  const countRows = () =>
    Promise.all(
      tables.map(async (table) => {
        const { rows } = await db.database.pool.query(`select count(*) from ${table}`)
        return Number(rows[0].count)
      }),
    )
  const purge = (moment = later(new Date(), { hours: 1 })) => atTime(db.url, moment, purgeSearchTerms)
  const found = async (q: string) =>
    (await listTasks(db.database, { scope: 'all', sort: 'newest', q }, [null], 100)).length

  async function anEditedTask() {
    const buyer = await aBuyer(db.database)
    const id = await aTask(db.database, buyer)
    const edit = (title: string, detail: string) =>
      updateTask(db.database, id, buyer.id, {
        task_title: title,
        task_detail: detail,
        submission_info: 'Line',
      })
    return { buyer, id, edit }
  }
  const words = (prefix: string, count: number) =>
    Array.from({ length: count }, (_, index) => `${prefix}${index}`).join(' ')

  test('three hundred edits with new words leave the words of the last one', async () => {
    const { edit } = await anEditedTask()
    for (let turn = 0; turn < 300; turn++) await edit('Edited', words(`turn${turn}word`, 50))
    const [stored = 0] = await countRows()
    assert.ok(stored > 15_000, String(stored))
    await purge()
    assert.deepEqual(await countRows(), [51, 0])
    assert.deepEqual([await found('turn299word4'), await found('turn298word4')], [1, 0])
    assert.deepEqual([await found(''), await found('---')], [1, 0], 'A search without a word finds nothing')
  })

  test('a word that another task contains, or that comes back, is kept', async () => {
    const [one, other] = [await anEditedTask(), await anEditedTask()]
    await one.edit('Shared', 'returning vanishing')
    await other.edit('Shared', 'other')
    await one.edit('Own', 'nothing')
    await one.edit('Own', 'returning')
    await purge()
    assert.deepEqual(await Promise.all(['shar', 'returni', 'vanish', 'other'].map(found)), [1, 1, 0, 1])
    const { rows } = await db.database.pool.query(
      `select term from search_terms where term in ('shared', 'returning', 'vanishing') order by 1`,
    )
    assert.deepEqual(
      rows.map(({ term }) => term),
      ['returning', 'shared'],
    )
  })

  test('a word that was removed just now is kept until its last writer has surely committed', async () => {
    const { edit } = await anEditedTask()
    await edit('First', 'recent')
    await edit('Second', 'words')
    await purge(new Date())
    const { rowCount } = await db.database.pool.query(`select from search_terms where term = 'recent'`)
    assert.equal(rowCount, 1)
  })

  test('the words of a deleted task are deleted', async () => {
    const { edit, id, buyer } = await anEditedTask()
    await edit('Deleted', 'deletedword')
    await deleteTask(db.database, id, buyer)
    await purge()
    const { rowCount } = await db.database.pool.query(`select from search_terms where term = 'deletedword'`)
    assert.equal(rowCount, 0)
  })

  test('a task stores at most 1000 terms', async () => {
    const { edit } = await anEditedTask()
    await purge()
    const [before = 0] = await countRows()
    await edit('Long', words('w', 3500))
    const [after = 0] = await countRows()
    assert.ok(after - before <= 1000, String(after - before))
  })
})
