import { SLOTS_MAX } from '#contract/product.ts'
import type { Config } from '#server/config.ts'
import { type Db, queryOne } from '#server/database/database.ts'

const topUpTask = queryOne<
  { coins: number },
  [task: string, buyer: string, slots: number, slotsMax: number, feePercent: number]
>('top_up_task', 'select top_up_task($1, $2, $3, $4, $5) as coins')

/**
 * Adds slots to an open task and moves their pay into its escrow. Returns the coins paid, with the fee.
 * @throws Refusal `task_not_found`; `not_yours`; `task_closed`; `deadline_passed`; `insufficient_coins`; `invalid_fields` above the
 * slots that a task can have.
 */
export async function addSlots(
  db: Db,
  config: Config,
  taskId: string,
  buyerId: string,
  slots: number,
): Promise<number> {
  return (await topUpTask(db, taskId, buyerId, slots, SLOTS_MAX, config.taskFeePercent)).coins
}
