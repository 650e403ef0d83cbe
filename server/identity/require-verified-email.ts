import type { Config } from '#server/config.ts'
import { Refusal } from '#server/http/refusal.ts'

/** Throws for an action that the operator allows only with a verified email address (VERIFY_FOR). @throws Refusal. */
export function requireVerifiedEmail(
  config: Config,
  caller: { emailVerified: boolean },
  action: 'sign-in' | 'post' | 'withdraw',
): void {
  if (caller.emailVerified || !config.verifyFor.has(action)) return
  throw new Refusal('email_not_verified')
}
