import { type Db, queryOne } from '#server/database/database.ts'

export type Deletion = { deleted: number; completed: boolean; refund: number }

const deleteTaskRow = queryOne<Deletion, [task: string, viewer: string, isAdmin: boolean]>(
  'delete_task',
  'select deleted, completed, refund from delete_task($1, $2, $3)',
)

/**
 * Deletes a task; its buyer gets back the coins of the slots that nobody holds, in the same transaction. A second
 * deletion changes nothing. Refuses `task_not_found` for what is not there or somebody else's.
 */
export function deleteTask(db: Db, taskId: string, viewer: { id: string; role: string }): Promise<Deletion> {
  return deleteTaskRow(db, taskId, viewer.id, viewer.role === 'Admin')
}
