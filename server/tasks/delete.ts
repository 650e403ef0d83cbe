import { type Db, MANY_ROWS, queryOne } from '#server/database/database.ts'

export type Deletion = { deleted: number; completed: boolean; refund: number }

const deleteTaskStatement = queryOne<Deletion, [task: string, viewer: string, isAdmin: boolean]>(
  'delete_task',
  'select deleted, completed, refund from delete_task($1, $2, $3)',
  MANY_ROWS,
)

/**
 * Deletes a task and refunds the coins of its free slots to the buyer in the same transaction. A second deletion changes
 * nothing. @throws Refusal `task_not_found`; `not_yours` for another buyer's.
 */
export function deleteTask(db: Db, taskId: string, viewer: { id: string; role: string }): Promise<Deletion> {
  return deleteTaskStatement(db, taskId, viewer.id, viewer.role === 'Admin')
}
