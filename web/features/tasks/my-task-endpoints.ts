import type { Endpoint } from '#contract/endpoint.ts'
import { myTask, myTaskProgress, myTaskTotals } from '#contract/tasks.ts'

/** What My Tasks shows of a buyer's tasks: the list, the work on each, and how many are in each state. */
export const MY_TASKS: readonly Endpoint[] = [myTask, myTaskProgress, myTaskTotals]
