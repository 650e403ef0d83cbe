import type { TaskCategory } from '#contract/task-categories.ts'
import { type Db, query } from '#server/database/database.ts'

type Edit = {
  task_title: string
  task_detail: string
  submission_info: string
  category?: TaskCategory | undefined
  taskVersion?: number | undefined
}

const updateTaskStatement = query<
  never,
  [
    task: string,
    buyer: string,
    title: string,
    detail: string,
    submissionInfo: string,
    category: TaskCategory | null,
    version: number | null,
  ]
>('update_task', 'select update_task($1, $2, $3, $4, $5, $6, $7)')

/**
 * Changes the texts of a buyer's own task, and its category if one is given. Submitted work keeps the version of the texts that it was made for.
 * @throws Refusal `task_not_found`; `not_yours`; `state_conflict` for texts that were changed after `taskVersion`, and for a task of a batch.
 */
export async function updateTask(db: Db, taskId: string, buyerId: string, edit: Edit): Promise<void> {
  const { task_title, task_detail, submission_info, category, taskVersion } = edit
  await updateTaskStatement(
    db,
    taskId,
    buyerId,
    task_title,
    task_detail,
    submission_info,
    category ?? null,
    taskVersion ?? null,
  )
}
