import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { ById, Coins, Id, Time } from './shapes.ts'

/** A slot that a worker holds until `expiresAt`. Their work is judged by version `taskVersion` of the task's texts. */
export const Reservation = z.object({
  _id: Id,
  taskId: Id,
  taskVersion: z.int(),
  expiresAt: Time,
})
export type Reservation = z.infer<typeof Reservation>

export const ListedReservation = z.extend(Reservation, {
  /** The item of a batch that is reserved; null for a plain task. */
  item: z.nullable(z.int()),
  task_title: z.string(),
  payable_amount: Coins,
  task_image_url: z.string(),
})
export type ListedReservation = z.infer<typeof ListedReservation>

export const reserveSlot = endpoint({
  method: 'POST',
  path: '/tasks/:id/reservation',
  summary: 'Reserve a slot of the task; returns the live reservation if there is one',
  access: { who: ['Worker'] },
  limit: { perUser: 1200, perNetwork: 12_000 },
  params: ById,
  reply: Reservation,
})

/** Also for a user who is no Worker any more: a role change keeps reservations. */
export const returnReservation = endpoint({
  method: 'DELETE',
  path: '/tasks/:id/reservation',
  summary: 'Return the reserved slot of the task',
  access: { who: 'signed-in' },
  limit: { perUser: 1200, perNetwork: 12_000 },
  params: ById,
  reply: z.object({ acknowledged: z.boolean(), deletedCount: z.int() }),
})

export const myReservations = endpoint({
  method: 'GET',
  path: '/my-reservations',
  summary: "The caller's live reservations, the first to expire first",
  access: { who: 'signed-in' },
  scope: 'account:read',
  reply: z.array(ListedReservation),
})
