import type { Config } from '#server/config.ts'
import { type Db, queryOne } from '#server/database/database.ts'

const reopenTaskStatement = queryOne<
  { coins: number | null },
  [task: string, buyer: string, completionDate: string | null, zone: string]
>('reopen_task', 'select reopen_task($1, $2, $3, $4) as coins')

/**
 * Reopens a closed task and moves the pay of its free slots into the escrow again. Returns the coins paid, or null when
 * the task is open. @throws Refusal `task_not_found`; `not_yours`, also for a deleted task; `insufficient_coins`; `deadline_passed`
 * when its deadline is over and no new one is given; `state_conflict` when a qualification that it requires was deleted.
 */
export async function reopenTask(
  db: Db,
  config: Config,
  taskId: string,
  buyerId: string,
  completionDate: string | null,
): Promise<number | null> {
  return (await reopenTaskStatement(db, taskId, buyerId, completionDate, config.timeZone)).coins
}
