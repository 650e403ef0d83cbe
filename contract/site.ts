import * as z from 'zod/mini'
import { NewPassword } from './auth.ts'
import { endpoint } from './endpoint.ts'
import { Email, Name } from './shapes.ts'

/** What the pages need to know about this installation before anybody signs in. */
export const site = endpoint({
  method: 'GET',
  path: '/site',
  summary: 'The name of this marketplace and what is switched on',
  access: { who: 'anyone' },
  shared: true,
  reply: z.object({
    name: z.string(),
    demo: z.boolean(),
    timeZone: z.string(),
    today: z.string(),
    reviewDays: z.number(),
    feePercent: z.number(),
    card: z.enum(['sandbox', 'stripe']),
    stripePublishableKey: z.nullable(z.string()),
    providers: z.array(z.object({ id: z.string(), label: z.string(), demonstration: z.boolean() })),
  }),
})

/** Signs in as one of the demo world's people. Exists only where the demo world does. */
export const tryAs = endpoint({
  method: 'POST',
  path: '/demo/try-as',
  summary: 'Start a session as a person of the demo world (development only)',
  access: { who: 'anyone' },
  body: z.object({ role: z.enum(['Worker', 'Buyer', 'Admin']) }),
  reply: z.object({ user: z.object({ email: z.string(), name: z.string() }) }),
  idempotency: 'own',
})

export const setupAdmin = endpoint({
  method: 'POST',
  path: '/setup',
  summary: 'Make the first Admin with the one-time link printed at first start',
  access: { who: 'anyone' },
  body: z.object({
    code: z.string().check(z.minLength(1), z.maxLength(200)),
    name: Name,
    email: Email,
    password: NewPassword,
  }),
  reply: z.object({ user: z.object({ email: z.string(), name: z.string() }) }),
  status: 201,
  idempotency: 'own',
})
