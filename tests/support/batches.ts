import { ProjectContent } from '#contract/projects.ts'
import { checkDueBatches } from '#server/batches/check.ts'
import { checkDuePictures } from '#server/batches/check-pictures.ts'
import { beginFunding, fundDueBatches } from '#server/batches/fund.ts'
import { beginCheck, createBatch, storeChunk } from '#server/batches/upload.ts'
import type { Database } from '#server/database/database.ts'
import { createProject } from '#server/projects/save.ts'
import { PROJECT } from '#tests/api/samples.ts'
import { aBuyer, dayFromNow, type TestUser, testConfig } from './factories.ts'

const CHUNK_BYTES = 200_000

type BatchOptions = {
  items: number
  content?: Partial<ProjectContent>
  /** Who has the coins for it, by default a new buyer. */
  buyer?: TestUser
  /** The buyer's coins, by default those of the batch. */
  coins?: number
  /** Another column of the file, with the values of its last items. */
  column?: { name: string; values: string[] }
}

export type TestBatch = { buyer: TestUser; id: string; total: number }

/** A checked batch with items named "Shop 1", "Shop 2" and so on, of a buyer who can pay it. */
export async function aCheckedBatch(
  database: Database,
  { items, content = {}, coins, column, ...given }: BatchOptions,
): Promise<TestBatch> {
  const project = ProjectContent.parse({ ...PROJECT, ...content })
  const total = items * project.workersPerItem * project.reward
  const buyer = given.buyer ?? (await aBuyer(database, { coins: coins ?? total }))
  const projectId = (await createProject(database, buyer.id, project)).id
  const { id } = await createBatch(database, projectId, buyer.id, 'shops.csv')
  const cell = (row: number) =>
    column === undefined ? '' : `,${column.values[row - items + column.values.length] ?? ''}`
  const rows = Array.from({ length: items }, (_, row) => `Shop ${row + 1}${cell(row)}\n`)
  const file = Buffer.from(`name${column === undefined ? '' : `,${column.name}`}\n${rows.join('')}`)
  for (let from = 0; from < file.length; from += CHUNK_BYTES)
    await storeChunk(database, id, buyer.id, from / CHUNK_BYTES, file.subarray(from, from + CHUNK_BYTES))
  await beginCheck(database, id, buyer.id, file.length)
  await checkDueBatches(database)
  // No other site is requested: all pictures load.
  await checkDuePictures(database, async () => null)
  return { buyer, id, total }
}

/** A batch that is paid, and its task. */
export async function anOpenBatch(
  database: Database,
  options: BatchOptions,
): Promise<TestBatch & { taskId: string }> {
  const batch = await aCheckedBatch(database, options)
  const { buyer, id, total } = batch
  await beginFunding(database, testConfig, id, buyer.id, { completion_date: dayFromNow(7), total })
  await fundDueBatches(database, testConfig)
  const { rows } = await database.pool.query('select task_id from batches where id = $1', [id])
  return { ...batch, taskId: rows[0].task_id }
}
