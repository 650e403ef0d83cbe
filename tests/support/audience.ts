import type { Audience } from '#contract/audience.ts'
import { UNRESTRICTED_AUDIENCE } from '#contract/audience.ts'
import type { Database } from '#server/database/database.ts'
import { updateRecords } from '#server/records/update.ts'
import { addTask } from '#server/tasks/add.ts'
import { aSubmission, aTask, aWorker, type TestUser, taskBody, testConfig } from './factories.ts'

/** Returns the name by which a buyer knows a worker. */
export async function pseudonymOf(
  database: Database,
  buyer: { id: string },
  worker: { id: string },
): Promise<string> {
  const sql = 'select worker_pseudonym($1, $2) as name'
  const [row] = await database.run<{ name: string }>({ name: 'test_pseudonym', sql }, [buyer.id, worker.id])
  return row?.name ?? ''
}

/** A worker with pending work on a task of this buyer, who has the coins for it, and their pseudonym. */
export async function aPastWorker(
  database: Database,
  buyer: TestUser,
): Promise<{ worker: TestUser; pseudonym: string; submissionId: string }> {
  const worker = await aWorker(database)
  const taskId = await aTask(database, buyer, { slots: 1, reward: 1 })
  const submissionId = await aSubmission(database, taskId, worker)
  await updateRecords(database)
  return { worker, submissionId, pseudonym: await pseudonymOf(database, buyer, worker) }
}

/** An open task for an audience. */
export function aTaskFor(
  database: Database,
  buyer: TestUser,
  audience: Partial<Audience>,
  options: { slots?: number; title?: string } = {},
): Promise<string> {
  const task = {
    ...taskBody({ reward: 1, slots: 3, ...options }),
    audience: { ...UNRESTRICTED_AUDIENCE, ...audience },
  }
  return addTask(database, testConfig, buyer, task, {})
}
