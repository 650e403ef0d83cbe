import type { FastifyReply, FastifyRequest } from 'fastify'
import type { SecurityEventParams } from '#contract/security-log.ts'
import type { Config } from '#server/config.ts'
import { type Db, query } from '#server/database/database.ts'
import { newSecret, secretHash } from '#server/secrets.ts'
import { cookieOf, secretIn } from '../cookies.ts'

type Exchange = { db: Db; request: FastifyRequest; reply: FastifyReply }
type SignInMethod = SecurityEventParams<'signed_in'>['method']
export type PendingSignIn = {
  identity_id: string
  credentials_version: number
  method: SignInMethod
  name: string
  email: string
}

const COOKIE = 'tallywork-sign-in'
const PENDING_MINUTES = 10

const insertPending = query<
  never,
  [hash: Buffer, identityId: string, method: SignInMethod, version: number | null, minutes: number]
>(
  'pending_sign_in_insert',
  `insert into pending_sign_ins (secret_hash, identity_id, method, credentials_version, expires_at)
   select $1, id, $3, coalesce($4, credentials_version), now() + make_interval(mins => $5) from identities where id = $2`,
)
const readPending = query<PendingSignIn, [hash: Buffer]>(
  'pending_sign_in_read',
  `select identity_id, pending_sign_ins.credentials_version, method, identities.name, identities.email
     from pending_sign_ins join identities on identities.id = identity_id left join users on users.id = identity_id
    where secret_hash = $1 and expires_at > now() and users.deleted_at is null`,
)
const deletePending = query<{ identity_id: string }, [hash: Buffer]>(
  'pending_sign_in_delete',
  'delete from pending_sign_ins where secret_hash = $1 and expires_at > now() returning identity_id',
)

/** Stores a sign-in that waits for its second factor, with its secret in the browser's cookie. */
export async function storePendingSignIn(
  config: Config,
  { db, reply }: Exchange,
  identityId: string,
  method: SignInMethod,
  version: number | null,
): Promise<void> {
  const secret = newSecret()
  await insertPending(db, secretHash(secret), identityId, method, version, PENDING_MINUTES)
  const { name, options } = cookieOf(config, COOKIE)
  reply.setCookie(name, secret, { ...options, maxAge: PENDING_MINUTES * 60 })
}

/** Returns the pending sign-in of the request's cookie, if there is one. */
export async function readPendingSignIn(
  config: Config,
  { db, request }: Omit<Exchange, 'reply'>,
): Promise<PendingSignIn | undefined> {
  const secret = secretIn(request, cookieOf(config, COOKIE))
  if (secret === undefined) return undefined
  const [pending] = await readPending(db, secretHash(secret))
  return pending
}

/** Deletes the pending sign-in of the request's cookie. Returns false when it was used or has expired meanwhile. */
export async function consumePendingSignIn(
  config: Config,
  { db, request, reply }: Exchange,
): Promise<boolean> {
  const cookie = cookieOf(config, COOKIE)
  reply.clearCookie(cookie.name, cookie.options)
  const secret = secretIn(request, cookie)
  return secret !== undefined && (await deletePending(db, secretHash(secret))).length > 0
}
