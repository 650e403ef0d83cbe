import { plural, t } from '@lingui/core/macro'
import type { Task } from '#contract/tasks.ts'
import { formatCoins } from '#web/lib/format.ts'

/**
 * Returns who gets the coins of open slots back when a task ends, in numbers (docs/specification/tasks.md). `debt` is what the
 * user owes, which a refund to them repays first.
 */
export function refundEffect(task: Task, owner: 'you' | 'buyer', debt: number): string {
  const { worker: slots, buyer_name: buyer } = task
  const refund = slots * task.payable_amount
  if (refund <= 0) return t`No coins will be refunded now, because no slots are open.`
  const coins = formatCoins(refund)
  if (owner === 'buyer') {
    const refunded = plural(slots, {
      one: `${coins} for # open slot will be refunded to ${buyer}.`,
      other: `${coins} for # open slots will be refunded to ${buyer}.`,
    })
    return `${refunded} ${t`A debt of the buyer is repaid first.`}`
  }
  const owed = formatCoins(debt)
  return debt > 0
    ? plural(slots, {
        one: `${coins} for # open slot will be refunded and repay what you owe (${owed}) first.`,
        other: `${coins} for # open slots will be refunded and repay what you owe (${owed}) first.`,
      })
    : plural(slots, {
        one: `${coins} for # open slot will be refunded to your balance.`,
        other: `${coins} for # open slots will be refunded to your balance.`,
      })
}
