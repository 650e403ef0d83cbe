import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { ById, Coins, Id } from './shapes.ts'

/** What became of a task: numbers of workers, in the order in which they pass through it. */
export const TaskFunnel = z.object({
  taskId: Id,
  /** Workers who opened its details, counted within seconds. */
  seen: z.int(),
  /** Workers who took a slot, by a reservation or by submitting; without reservations that were returned. */
  reserved: z.int(),
  submitted: z.int(),
  approved: z.int(),
  rejected: z.int(),
  /** The pay of approved work. */
  paid: Coins,
  escrow: Coins,
  /** The median time from reservation to submission; null under five. */
  medianSeconds: z.nullable(z.int()),
})
export type TaskFunnel = z.infer<typeof TaskFunnel>

export const taskFunnel = endpoint({
  method: 'GET',
  path: '/tasks/:id/funnel',
  summary: "One of the caller's tasks in numbers: seen, reserved, submitted, approved, and its spending",
  access: { who: ['Buyer'] },
  scope: 'tasks',
  params: ById,
  reply: TaskFunnel,
  errors: ['task_not_found', 'not_yours'],
})
