import type { Config } from '#server/config.ts'
import { type Db, queryOne } from '#server/database/database.ts'

const moveDeadlineStatement = queryOne<
  { moved: boolean },
  [task: string, buyer: string, completionDate: string, zone: string]
>('move_deadline', 'select move_deadline($1, $2, $3, $4) as moved')

/**
 * Moves the deadline of an open task, later or earlier. Returns false when the task has this deadline already.
 * @throws Refusal `task_not_found`; `not_yours`; `task_closed`; `deadline_passed` for a day that is over.
 */
export async function moveDeadline(
  db: Db,
  config: Config,
  taskId: string,
  buyerId: string,
  completionDate: string,
): Promise<boolean> {
  return (await moveDeadlineStatement(db, taskId, buyerId, completionDate, config.timeZone)).moved
}
