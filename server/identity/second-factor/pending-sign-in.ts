import { createHash, randomBytes } from 'node:crypto'
import type { CookieSerializeOptions } from '@fastify/cookie'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { SecurityEventParams } from '#contract/security-log.ts'
import type { Config } from '#server/config.ts'
import { type Db, query } from '#server/database/database.ts'

type Exchange = { db: Db; request: FastifyRequest; reply: FastifyReply }
type SignInMethod = SecurityEventParams<'signed_in'>['method']
export type PendingSignIn = {
  identity_id: string
  credentials_version: number
  method: SignInMethod
  name: string
  email: string
}

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
  const secret = randomBytes(32).toString('base64url')
  await insertPending(db, hashOf(secret), identityId, method, version, PENDING_MINUTES)
  const { name, options } = cookieOf(config)
  reply.setCookie(name, secret, { ...options, maxAge: PENDING_MINUTES * 60 })
}

/** Returns the pending sign-in of the request's cookie, if there is one. */
export async function readPendingSignIn(
  config: Config,
  { db, request }: Omit<Exchange, 'reply'>,
): Promise<PendingSignIn | undefined> {
  const secret = secretIn(config, request)
  if (secret === undefined) return undefined
  const [pending] = await readPending(db, hashOf(secret))
  return pending
}

/** Deletes the pending sign-in of the request's cookie. Returns false when it was used or has expired meanwhile. */
export async function consumePendingSignIn(
  config: Config,
  { db, request, reply }: Exchange,
): Promise<boolean> {
  const { name, options } = cookieOf(config)
  reply.clearCookie(name, options)
  const secret = secretIn(config, request)
  return secret !== undefined && (await deletePending(db, hashOf(secret))).length > 0
}

function cookieOf(config: Config): { name: string; options: CookieSerializeOptions } {
  const secure = config.publicUrl.startsWith('https:')
  return {
    name: secure ? '__Host-tallywork-sign-in' : 'tallywork-sign-in',
    options: { path: '/', httpOnly: true, sameSite: 'strict', secure },
  }
}

function secretIn(config: Config, request: FastifyRequest): string | undefined {
  const secret = request.cookies[cookieOf(config).name]
  return secret !== undefined && /^[\w-]{43}$/.test(secret) ? secret : undefined
}

function hashOf(secret: string): Buffer {
  return createHash('sha256').update(secret).digest()
}
