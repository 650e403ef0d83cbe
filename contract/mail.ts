import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'

/** Optional emails. Emails about the security of an account cannot be switched off and are not listed. */
export const MailPreferences = z.object({
  /** Work was submitted to the user's tasks, or will be approved automatically soon. */
  workReceived: z.boolean(),
  /** The user's work was approved or rejected. */
  workDecided: z.boolean(),
  /** The user's withdrawal was paid or declined. */
  payouts: z.boolean(),
})
export type MailPreferences = z.infer<typeof MailPreferences>

export const mailPreferences = endpoint({
  method: 'GET',
  path: '/mail-preferences',
  summary: "The caller's email preferences",
  access: { who: 'signed-in' },
  reply: MailPreferences,
})

export const setMailPreferences = endpoint({
  method: 'PUT',
  path: '/mail-preferences',
  summary: "Update the caller's email preferences",
  access: { who: 'signed-in' },
  limit: { perUser: 120, perNetwork: 1200 },
  body: MailPreferences,
  reply: MailPreferences,
})
