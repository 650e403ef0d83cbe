import { type Database, query, queryOne } from '#server/database/database.ts'
import { processDueRows } from '#server/database/process-due-rows.ts'

const dueProgress = query<{ id: string }, [limit: number]>(
  'batches_to_announce',
  `select batches.id from batches join tasks on tasks.id = batches.task_id
     join ledger_accounts as accounts on accounts.id = tasks.escrow_id
    where announced_tenths < 10 and done_tenths(tasks.slots, tasks.reward, accounts.balance) > announced_tenths
    order by batches.id limit $1`,
)
const announceProgress = queryOne<{ announced: boolean }, [batch: string]>(
  'announce_batch_progress',
  'select announce_batch_progress($1) as announced',
)

/** Announces each tenth of a batch that is done, and its end. Returns the number of announcements. */
export function announceBatchProgress(database: Database): Promise<number> {
  return processDueRows(database, dueProgress, async (id) => (await announceProgress(database, id)).announced)
}
