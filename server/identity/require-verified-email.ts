import type { Config } from '#server/config.ts'
import { Refusal } from '#server/http/refusal.ts'

/** Refuses what the operator reserves for people with a verified address (VERIFY_FOR). */
export function requireVerifiedEmail(
  config: Config,
  caller: { emailVerified: boolean },
  what: 'sign-in' | 'post' | 'withdraw',
): void {
  if (caller.emailVerified || !config.verifyFor.has(what)) return
  throw new Refusal(
    'email_not_verified',
    'Verify your email address first: connectEvents the link that we sent you.',
  )
}
