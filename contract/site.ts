import * as z from 'zod/mini'
import { AdminPassword } from './auth.ts'
import { endpoint } from './endpoint.ts'
import { Email, Name } from './shapes.ts'
import { AddedTax } from './tax.ts'

/** The origin in the URLs of built pages; the server replaces it by its own, so that a build serves under any URL. */
export const BUILD_ORIGIN = 'https://built.invalid'

/** The name of the marketplace in built pages; the server replaces it by its own. */
export const BUILD_NAME = 'built-name.invalid'

/**
 * The revision of the pages that service workers keep, in built service workers. The server replaces it by a hash of the pages that
 * it serves, with their headers.
 */
export const BUILD_REVISION = 'built-revision.invalid'

/** The pages that service workers keep: what starts the app, and that of screens that are not on the device. */
export const KEPT_PAGES = ['/__spa-fallback.html', '/offline.html'] as const

/** The header of these pages that names their revision. */
export const REVISION_HEADER = 'page-revision'

/** The public configuration of this installation. */
export const site = endpoint({
  method: 'GET',
  path: '/site',
  summary: 'The name of this marketplace and its enabled features',
  access: { who: 'anyone' },
  shared: true,
  reply: z.object({
    name: z.string(),
    demo: z.boolean(),
    timeZone: z.string(),
    today: z.string(),
    reviewDays: z.number(),
    /** How long a worker can appeal a rejection; with 0 a rejection is final at once. */
    appealDays: z.number(),
    feePercent: z.number(),
    /** In dollars, without `addedTax`. */
    packages: z.array(z.object({ coins: z.int(), price: z.number() })),
    /** The tax that is added to the prices; null where they include it or there is none. */
    addedTax: z.nullable(AddedTax),
    /** What a withdrawn coin pays. */
    centsPerCoin: z.int(),
    card: z.enum(['sandbox', 'stripe']),
    stripePublishableKey: z.nullable(z.string()),
    providers: z.array(z.object({ id: z.string(), label: z.string(), demonstration: z.boolean() })),
  }),
})

/** Signs in as a demo user. Available only when the demo is enabled. */
export const tryAs = endpoint({
  method: 'POST',
  path: '/demo/try-as',
  summary: 'Start a session as a demo user (development only)',
  access: { who: 'anyone' },
  limit: { perNetwork: 600 },
  body: z.object({ role: z.enum(['Worker', 'Buyer', 'Admin']) }),
  reply: z.object({ user: z.object({ email: z.string(), name: z.string() }) }),
  idempotency: 'own',
})

export const setupAdmin = endpoint({
  method: 'POST',
  path: '/setup',
  summary: 'Create the first Admin with the one-time link printed at first start',
  access: { who: 'anyone' },
  limit: { perNetwork: 30 },
  body: z.object({
    code: z.string().check(z.minLength(1), z.maxLength(200)),
    name: Name,
    email: Email,
    password: AdminPassword,
  }),
  reply: z.object({ user: z.object({ email: z.string(), name: z.string() }) }),
  status: 201,
  idempotency: 'own',
})
