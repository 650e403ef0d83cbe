import type { Config } from '#server/config.ts'
import type { Database } from '#server/database/database.ts'
import { consumeRateLimit, type Limit, resetRateLimit, throwRateLimited } from '#server/http/rate-limit.ts'
import { Refusal } from '#server/http/refusal.ts'
import { acceptAuthenticatorCode } from './authenticator.ts'
import { mailFactorChange } from './factors.ts'
import { useRecoveryCode } from './recovery-codes.ts'

/**
 * Accepts a code of the identity's authenticator apps or an unused recovery code. Returns which it
 * was, or undefined for a wrong code. Wrong codes of an app are limited per
 * identity. Only someone with the password or a session can exhaust that limit, and recovery codes and passkeys, which
 * cannot be guessed, stay usable then.
 * @throws Refusal `too_many_requests`
 */
export async function acceptCode(
  database: Database,
  config: Config,
  identityId: string,
  code: string,
): Promise<'totp' | 'recovery_code' | undefined> {
  if (isRecoveryCode(code)) {
    return (await acceptRecoveryCode(database, config, identityId, code)) ? 'recovery_code' : undefined
  }
  return (await acceptGuess(database, config, identityId, code)) ? 'totp' : undefined
}

/** Returns whether this looks like a recovery code: a code of an app has no letters. */
export function isRecoveryCode(code: string): boolean {
  return /[a-z]/i.test(code)
}

export function wrongCode(): Refusal {
  return new Refusal('invalid_fields.second_factor_code', { field: 'code' })
}

async function acceptGuess(
  database: Database,
  config: Config,
  identityId: string,
  code: string,
): Promise<boolean> {
  const limits: Limit[] = [
    { key: `second-factor:${identityId}`, max: 10, seconds: 900 },
    { key: `second-factor-day:${identityId}`, max: 50, seconds: 86_400 },
  ]
  // One after the other, so that an attempt that the first refuses does not count for the day.
  for (const limit of limits) {
    const [exceeded] = await consumeRateLimit(database, [limit])
    if (exceeded) throwRateLimited(exceeded.resetsAt)
  }
  const accepted = await database.transaction((tx) => acceptAuthenticatorCode(tx, config, identityId, code))
  if (accepted) await resetRateLimit(database, ...limits.map(({ key }) => key))
  return accepted
}

async function acceptRecoveryCode(
  database: Database,
  config: Config,
  identityId: string,
  code: string,
): Promise<boolean> {
  const [exceeded] = await consumeRateLimit(database, [
    { key: `recovery-code:${identityId}`, max: 30, seconds: 900 },
  ])
  if (exceeded) throwRateLimited(exceeded.resetsAt)
  return database.transaction(async (tx) => {
    const accepted = await useRecoveryCode(tx, identityId, code)
    if (accepted) await mailFactorChange(tx, config, identityId, 'recovery-code-used')
    return accepted
  })
}
