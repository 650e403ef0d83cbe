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

/** A buyer rewords their task. Pay, slots and deadline are what people rely on and never change. */
export async function updateTask(db: Db, taskId: string, buyerId: string, edit: Edit): Promise<void> {
  const changed = await updateTaskRow(
    db,
    taskId,
    buyerId,
    edit.task_title,
    edit.task_detail,
    edit.submission_info,
  )
  if (changed.length === 0) throw new Refusal('task_not_found')
}
