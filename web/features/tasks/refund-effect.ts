import { plural, t } from '@lingui/core/macro'
import type { Task } from '#contract/tasks.ts'
import { formatCoins } from '#web/lib/format.ts'

/** Returns who gets the coins of open slots back when a task ends, in numbers (docs/specification/tasks.md). */
export function refundEffect(task: Task, owner: 'you' | 'buyer'): string {
  const { worker: slots, buyer_name: buyer } = task
  const refund = slots * task.payable_amount
  if (refund <= 0) return t`No coins will be refunded, because no slots are open.`
  const coins = formatCoins(refund)
  return owner === 'you'
    ? plural(slots, {
        one: `${coins} for # open slot will be refunded to your balance.`,
        other: `${coins} for # open slots will be refunded to your balance.`,
      })
    : plural(slots, {
        one: `${coins} for # open slot will be refunded to the balance of ${buyer}.`,
        other: `${coins} for # open slots will be refunded to the balance of ${buyer}.`,
      })
}
