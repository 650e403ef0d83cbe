import { type Db, query } from '#server/database/database.ts'
import { Refusal } from '#server/http/refusal.ts'

type Edit = { task_title: string; task_detail: string; submission_info: string }

const updateTaskRow = query<
  { id: string },
  [task: string, buyer: string, title: string, detail: string, submissionInfo: string]
>(
  'update_task',
  `update tasks set title = $3, detail = $4, submission_info = $5
    where id = $1 and buyer_id = $2 and deleted_at is null returning id`,
)

/**
 * Changes the texts of a buyer's own task. Workers rely on pay, slots and deadline, so those never change.
 * @throws Refusal `task_not_found`.
 */
export async function updateTask(db: Db, taskId: string, buyerId: string, edit: Edit): Promise<void> {
  const updated = await updateTaskRow(
    db,
    taskId,
    buyerId,
    edit.task_title,
    edit.task_detail,
    edit.submission_info,
  )
  if (updated.length === 0) throw new Refusal('task_not_found')
}
