import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { ById, Id, Time } from './shapes.ts'

const Session = z.object({
  _id: Id,
  device: z.string(),
  network: z.string(),
  createdAt: Time,
  seenAt: Time,
  /** Whether this request belongs to it. */
  current: z.boolean(),
})
export type Session = z.infer<typeof Session>

export const sessions = endpoint({
  method: 'GET',
  path: '/auth/sessions',
  summary: "The caller's sessions, last seen first",
  access: { who: 'session' },
  reply: z.array(Session),
})

export const endSession = endpoint({
  method: 'DELETE',
  path: '/auth/sessions/:id',
  summary: 'End one session; its tokens stop working at once',
  access: { who: 'session' },
  limit: { perUser: 120, perNetwork: 1200 },
  params: z.object({ id: Id }),
  reply: z.undefined(),
  status: 204,
})

export const signOutEverywhere = endpoint({
  method: 'POST',
  path: '/auth/sign-out-everywhere',
  summary: 'End every session of the caller, including this one',
  access: { who: 'session' },
  limit: { perUser: 30, perNetwork: 300 },
  reply: z.undefined(),
  status: 204,
  idempotency: 'own',
})

export const userSessions = endpoint({
  method: 'GET',
  path: '/users/:id/sessions',
  summary: "A user's sessions, last seen first",
  access: { who: ['Admin'] },
  params: ById,
  reply: z.object({
    user: z.object({ _id: Id, name: z.string(), email: z.string() }),
    sessions: z.array(Session),
  }),
})

export const endUserSession = endpoint({
  method: 'DELETE',
  path: '/users/:id/sessions/:sessionId',
  summary: 'End one session of a user; its tokens stop working at once',
  access: { who: ['Admin'], fresh: true },
  limit: { perUser: 1200, perNetwork: 12_000 },
  params: z.extend(ById, { sessionId: Id }),
  reply: z.undefined(),
  status: 204,
})

export const endUserSessions = endpoint({
  method: 'DELETE',
  path: '/users/:id/sessions',
  summary: 'End every session of a user; their tokens stop working at once',
  access: { who: ['Admin'], fresh: true },
  limit: { perUser: 1200, perNetwork: 12_000 },
  params: ById,
  reply: z.object({ ended: z.int() }),
})
