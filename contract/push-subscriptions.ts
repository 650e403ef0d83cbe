import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'

/** The devices of one user that show notifications; a further one replaces the oldest. */
export const PUSH_SUBSCRIPTIONS_MAX = 10
const ENDPOINT_MAX = 1000

/** The URL of a browser's push service, as browsers write it: in ASCII. It identifies the subscription. */
const PushEndpoint = z.string().check(
  z.maxLength(ENDPOINT_MAX),
  z.regex(/^[\x21-\x7e]*$/, 'Enter a URL'),
  z.refine((url) => URL.canParse(url) && /^https?:$/.test(new URL(url).protocol), 'Enter a URL'),
)

/** What a browser returns for a new subscription (`PushSubscription.toJSON()`). */
const PushSubscription = z.object({
  endpoint: PushEndpoint,
  keys: z.object({
    /** A point of the curve P-256, uncompressed, in base64url. */
    p256dh: z.string().check(z.regex(/^B[\w-]{86}$/, 'Not a public key')),
    auth: z.string().check(z.regex(/^[\w-]{22}$/, 'Not a secret of 16 bytes')),
  }),
})
export type PushSubscription = z.infer<typeof PushSubscription>

export const pushKey = endpoint({
  method: 'GET',
  path: '/push-key',
  summary: 'The public key that browsers need for a subscription to notifications (VAPID)',
  access: { who: 'signed-in' },
  reply: z.object({ publicKey: z.string() }),
})

export const subscribeToPush = endpoint({
  method: 'PUT',
  path: '/push-subscriptions',
  summary: "Show the caller's notifications on this device, until the session ends",
  access: { who: 'signed-in' },
  limit: { perUser: 120, perNetwork: 1200 },
  body: PushSubscription,
  reply: z.object({ acknowledged: z.boolean() }),
})

export const unsubscribeFromPush = endpoint({
  method: 'DELETE',
  path: '/push-subscriptions',
  summary: "Stop the caller's notifications on a device",
  access: { who: 'signed-in' },
  limit: { perUser: 120, perNetwork: 1200 },
  body: z.object({ endpoint: PushEndpoint }),
  reply: z.object({ acknowledged: z.boolean(), deletedCount: z.int() }),
})
