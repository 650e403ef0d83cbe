import { plural } from '@lingui/core/macro'
import type { Task } from '#contract/tasks.ts'
import { useTaskProgress } from '#web/features/tasks/use-task-progress.ts'
import { formatCoins } from '#web/lib/format.ts'

/** Renders what the buyer of a task that ends gets back later, if the workers who have reserved slots submit nothing. */
export function ReservedRefund({ task }: { task: Task }) {
  const reserved = useTaskProgress([task._id]).get(task._id)?.reserved ?? 0
  if (reserved === 0) return null
  const coins = formatCoins(reserved * task.payable_amount)
  return plural(reserved, {
    one: `${coins} for # reserved slot will be refunded later if no work is submitted for it.`,
    other: `${coins} for # reserved slots will be refunded later if no work is submitted for them.`,
  })
}
