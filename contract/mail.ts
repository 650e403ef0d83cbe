import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'

/** Optional mails. Those on which the safety of an account hangs cannot be switched off and are not listed. */
export const MailPreferences = z.object({
  /** Work arrived on my tasks, or approves itself soon. */
  workReceived: z.boolean(),
  /** My work was approved or not accepted. */
  workDecided: z.boolean(),
  /** My withdrawal was paid or declined. */
  payouts: z.boolean(),
})
export type MailPreferences = z.infer<typeof MailPreferences>

export const mailPreferences = endpoint({
  method: 'GET',
  path: '/mail-preferences',
  summary: 'Which optional mails the caller wants',
  access: { who: 'signed-in' },
  reply: MailPreferences,
})

export const setMailPreferences = endpoint({
  method: 'PUT',
  path: '/mail-preferences',
  summary: 'Choose which optional mails to get',
  access: { who: 'signed-in' },
  body: MailPreferences,
  reply: MailPreferences,
})
