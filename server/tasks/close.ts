import { type Db, queryOne } from '#server/database/database.ts'

const closeOwnTask = queryOne<{ coins: number | null }, [task: string, buyer: string]>(
  'close_own_task',
  'select close_own_task($1, $2) as coins',
)

/**
 * Closes a task for its buyer, as its deadline does, and refunds the coins of its free slots. Returns the coins refunded,
 * or null when the task was closed already. @throws Refusal `role_not_allowed`; `task_not_found`; `not_yours`.
 */
export async function closeTask(db: Db, taskId: string, buyerId: string): Promise<number | null> {
  return (await closeOwnTask(db, taskId, buyerId)).coins
}
