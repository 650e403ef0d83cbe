import type { Config } from '#server/config.ts'
import { type Database, query } from '#server/database/database.ts'
import type { Caller } from './caller.ts'
import { confirmPassword } from './confirm-password.ts'
import { emailKeyInUse } from './email-taken.ts'
import { consumeRateLimit, throwRateLimited } from './rate-limit.ts'
import { sendVerification } from './verify-email.ts'

const isFree = query<{ free: boolean }, [emailKey: string]>(
  'identity_address_is_free',
  'select not exists (select from identities where email_key = $1) as free',
)

/**
 * The person asks for another address: a link goes there, and the address changes when it is followed. An address that
 * somebody has gets no mail and the same answer.
 * @throws Refusal `invalid_fields` for a wrong password or what is no address, `too_many_requests`.
 */
export async function changeEmail(
  database: Database,
  config: Config,
  caller: Caller,
  { email, currentPassword }: { email: string; currentPassword: string },
): Promise<void> {
  const key = emailKeyInUse(email)
  await confirmPassword(database, caller.identityId, currentPassword)
  const limit = { key: `change-email:${caller.identityId}`, max: 5, seconds: 3600 }
  const [exceeded] = await consumeRateLimit(database, [limit])
  if (exceeded) throwRateLimited(exceeded.resetsAt)
  await database.transaction(async (tx) => {
    const [address] = await isFree(tx, key)
    if (!address?.free) return
    const person = { id: caller.identityId, name: caller.name }
    await sendVerification(tx, config, person, { email, emailKey: key }, 'change-email')
  })
}
