import { type Db, query } from '#server/database/database.ts'

type Edit = { task_title: string; task_detail: string; submission_info: string }

const updateTaskRow = query<
  never,
  [task: string, buyer: string, title: string, detail: string, submissionInfo: string]
>('update_task', 'select update_task($1, $2, $3, $4, $5)')

/**
 * Changes the texts of a buyer's own task. Submitted work keeps the version of the texts that it was made for.
 * @throws Refusal `task_not_found`; `not_yours`.
 */
export async function updateTask(db: Db, taskId: string, buyerId: string, edit: Edit): Promise<void> {
  await updateTaskRow(db, taskId, buyerId, edit.task_title, edit.task_detail, edit.submission_info)
}
