import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'

/** Optional emails. Emails about the security of an account cannot be switched off and are not listed. */
export const MailPreferences = z.object({
  /** Work on the user's tasks, appeals, reviews assigned to the user, and their deadlines. */
  workReceived: z.boolean(),
  /** Decisions on the user's work, revisions, bonuses, and deadlines of the user as a worker. */
  workDecided: z.boolean(),
  /** The user's withdrawals, and freezes of them or of the account. */
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
