import pg from 'pg'
import type { Config } from '#server/config.ts'
import { type Database, query, type Tx } from '#server/database/database.ts'
import { Refusal } from '#server/http/refusal.ts'
import { queueMail } from '#server/mail/queue.ts'
import { changeUserEmail } from '#server/users/change-email.ts'
import { isPasswordOf } from './confirm-password.ts'
import { emailTaken } from './email-taken.ts'
import { type Address, createToken, linkExpired, MINUTES, peekToken, redeemToken } from './mail-tokens.ts'
import { consumeRateLimit } from './rate-limit.ts'

const markVerified = query<{ email: string }, [id: string, emailKey: string]>(
  'identity_mark_verified',
  `update identities set email_verified_at = coalesce(email_verified_at, now())
    where id = $1 and email_key = $2 returning email`,
)
const replaceEmail = query<
  { name: string; old_email: string },
  [id: string, email: string, emailKey: string]
>(
  'identity_replace_email',
  `with old as (select name, email from identities where id = $1)
   update identities set email = $2, email_key = $3, email_verified_at = now() where id = $1
   returning name, (select email from old) as old_email`,
)

/** Queues the mail whose link verifies an address: the person's own, or one that is to become theirs. */
export async function sendVerification(
  tx: Tx,
  config: Config,
  person: { id: string; name: string },
  address: Address,
  purpose: 'verify-email' | 'change-email' = 'verify-email',
): Promise<void> {
  const token = await createToken(tx, person.id, purpose, address)
  await queueMail(tx, config, person.id, {
    template: 'verify-email',
    to: address.email,
    data: { name: person.name, hours: MINUTES[purpose] / 60 },
    link: `${config.publicUrl}/verify#token=${token}`,
  })
}

type Unverified = { id: string; name: string; email: string; emailKey: string; emailVerified: boolean }

/**
 * Sends the mail again; a verified person gets none. Answers until when no more is sent, when that is too often.
 */
export async function resendVerification(
  database: Database,
  config: Config,
  person: Unverified,
): Promise<Date | undefined> {
  if (person.emailVerified) return undefined
  const limit = { key: `verify:${person.id}`, max: 5, seconds: 3600 }
  const [exceeded] = await consumeRateLimit(database, [limit])
  if (exceeded) return exceeded.resetsAt
  await database.transaction((tx) => sendVerification(tx, config, person, person))
  return undefined
}

/**
 * Follows the link of a verification: the address it was sent to is the person's. When they asked for another address,
 * it becomes theirs now, and the old one is told. The link carries its token behind a #, and using it takes a POST, so
 * that a mail scanner that opens links uses none up. And whoever follows it must be who asked, by their session or
 * their password: a stranger who signed up with somebody's address gets it verified by no click of theirs.
 * @param viewerId the identity of the session in this browser.
 * @throws Refusal `link_expired`; `sign_in_required` when neither shows who it is; `wrong_credentials`; `email_taken`
 * when somebody took the address meanwhile.
 */
export async function verifyEmail(
  database: Database,
  config: Config,
  { token, password }: { token: string; password?: string | undefined },
  viewerId: string | undefined,
): Promise<string> {
  const { identity_id: asked } = await peekToken(database, token, 'verify-email', 'change-email')
  if (asked !== viewerId) await showWhoItIs(database, asked, password)
  try {
    return await database.transaction(async (tx) => {
      const {
        identity_id: id,
        purpose,
        email,
        email_key,
      } = await redeemToken(tx, token, 'verify-email', 'change-email')
      if (purpose === 'verify-email') {
        const [verified] = await markVerified(tx, id, email_key)
        if (verified === undefined) throw linkExpired()
        return verified.email
      }
      const [changed] = await replaceEmail(tx, id, email, email_key)
      if (changed === undefined) throw linkExpired()
      await changeUserEmail(tx, id, email, email_key)
      await queueMail(tx, config, id, {
        template: 'email-changed',
        to: changed.old_email,
        data: { name: changed.name, email },
      })
      return email
    })
  } catch (error) {
    if (error instanceof pg.DatabaseError && error.constraint?.endsWith('email_key')) throw emailTaken()
    throw error
  }
}

async function showWhoItIs(
  database: Database,
  identityId: string,
  password: string | undefined,
): Promise<void> {
  if (password === undefined) {
    throw new Refusal('sign_in_required', 'Enter the password of your account here to verify its address.')
  }
  if (!(await isPasswordOf(database, identityId, password))) {
    throw new Refusal(
      'wrong_credentials',
      'This is not the password of the account that asked for this link.',
    )
  }
}
