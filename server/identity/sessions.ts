import type { FastifyReply, FastifyRequest } from 'fastify'
import { v7 as uuid } from 'uuid'
import type { SecurityEventParams } from '#contract/security-log.ts'
import type { Config } from '#server/config.ts'
import { type Db, query, queryOne } from '#server/database/database.ts'
import { type Client, clientOf } from '#server/http/client.ts'
import { Refusal } from '#server/http/refusal.ts'
import { newSecret, secretHash } from '#server/secrets.ts'
import { cookieOf, secretIn } from './cookies.ts'
import { storePendingSignIn } from './second-factor/pending-sign-in.ts'

const COOKIE = 'tallywork'
/** A session expires this long after its last request, and `SESSION_DAYS_MAX` after sign-in at the latest. */
const SESSION_DAYS = 14
const SESSION_DAYS_MAX = 90

export type SessionRow = {
  id: string
  identity_id: string
  name: string
  email: string
  expires_at: string
  /** Whether this request extended the session. */
  extended: boolean
}

export type ListedSession = {
  id: string
  device: string
  network: string
  created_at: string
  seen_at: string
}

// The lock orders this against a password reset: either the reset waits and then ends this session, or this waits and
// then sees another version of the credentials. The statement also writes the security log, to save a round trip. It sees
// the sessions as they were before it. A second factor is checked here, so that no way of signing in forgets it.
const insertSession = query<
  { expires_at: string },
  [
    id: string,
    identityId: string,
    hash: Buffer,
    device: string,
    network: string,
    days: number,
    version: number | null,
    event: SecurityEventParams<'signed_in'>,
    secondFactorAccepted: boolean,
  ]
>(
  'session_start',
  `with started as (
     insert into sessions (id, identity_id, secret_hash, device, network, expires_at)
     select $1, id, $3, $4, $5, now() + make_interval(days => $6) from identities
      where id = $2 and ($7::int is null or credentials_version = $7)
        and ($9 or not exists (select from second_factors where identity_id = $2)) for share
     returning identity_id, device, network, expires_at
   )
   select expires_at, log_security_event('signed_in', identity_id, network, device, $8),
          case when exists (select from sessions where identity_id = $2 and network <> '')
                and not exists (select from sessions
                                 where identity_id = $2 and network <> '' and network = $5 and device = $4)
               then log_security_event('new_device', identity_id, network, device) end as new_device
     from started`,
)
// Extends the session at most once a minute and otherwise only reads.
const readSession = query<SessionRow, [hash: Buffer, days: number, daysMax: number]>(
  'session_of_cookie',
  `with current_session as (
     select sessions.id, identity_id, identities.name, identities.email, sessions.expires_at, sessions.seen_at
       from sessions join identities on identities.id = identity_id left join users on users.id = identity_id
      where secret_hash = $1 and ended_at is null and expires_at > now() and users.deleted_at is null
   ), extended as (
     update sessions set seen_at = now(),
            expires_at = least(now() + make_interval(days => $2), created_at + make_interval(days => $3))
      where id = (select id from current_session where seen_at < now() - interval '1 minute') and ended_at is null
      returning expires_at
   )
   select id, identity_id, name, email, coalesce((select expires_at from extended), expires_at) as expires_at,
          exists (select from extended) as extended
     from current_session`,
)
const readSessionId = query<{ id: string }, [hash: Buffer]>(
  'session_id_of_cookie',
  'select id from sessions where secret_hash = $1 and ended_at is null and expires_at > now()',
)
const hasSecondFactor = queryOne<{ exists: boolean }, [identityId: string]>(
  'session_needs_second_factor',
  'select exists (select from second_factors where identity_id = $1) as exists',
)
/** Ends the session whose secret has this hash, if it is open, and logs it as signed out. */
export const endSession = query<never, [hash: Buffer, network: string, device: string]>(
  'session_end_of_cookie',
  `with ended as (update sessions set ended_at = now() where secret_hash = $1 and ended_at is null returning identity_id)
   select log_security_event('signed_out', identity_id, $2, $3) from ended`,
)
const endAllSessionsExcept = query<never, [identityId: string, except: string | null]>(
  'sessions_end_of_identity',
  'select end_sessions($1, $2)',
)
const endOneSession = query<
  { id: string },
  [identityId: string, id: string, network: string, device: string]
>(
  'session_end_one',
  `with ended as (
     update sessions set ended_at = now() where identity_id = $1 and id = $2 and ended_at is null
     returning id, identity_id, device)
   select id, log_security_event('session_ended', identity_id, $3, $4, jsonb_build_object('device', device)) from ended`,
)
/** Returns the open sessions of an identity, most recently used first, at most 100. */
export const listSessions = query<ListedSession, [identityId: string]>(
  'sessions_of_identity',
  `select id, device, network, created_at, seen_at from sessions
    where identity_id = $1 and ended_at is null and expires_at > now() order by seen_at desc, id limit 100`,
)

/** A request and its response; sessions read and write their cookies. */
type Exchange = { db: Db; request: FastifyRequest; reply: FastifyReply }

/**
 * Creates a session with a new secret in the browser's cookie. Ends the browser's previous session, which prevents
 * session fixation. `event` is the entry of the security log. `version` is the version of the identity's credentials at
 * the time they were checked. For an identity with a second factor, stores a pending sign-in instead.
 * @throws Refusal `second_factor_required`; `wrong_credentials` when the credentials have changed since.
 */
export async function startSession(
  config: Config,
  exchange: Exchange,
  identityId: string,
  event: SecurityEventParams<'signed_in'>,
  version: number | null = null,
): Promise<void> {
  if (await createSession(config, exchange, identityId, event, { version, secondFactorAccepted: false }))
    return
  const { exists } = await hasSecondFactor(exchange.db, identityId)
  if (!exists) throw new Refusal('wrong_credentials.changed')
  await storePendingSignIn(config, exchange, identityId, event.method, version)
  throw new Refusal('second_factor_required')
}

/** Starts a session as `startSession` does, for an identity whose second factor was accepted. */
export async function startSessionAfterSecondFactor(
  config: Config,
  exchange: Exchange,
  identityId: string,
  event: SecurityEventParams<'signed_in'>,
  version: number | null = null,
): Promise<void> {
  const options = { version, secondFactorAccepted: true }
  if (!(await createSession(config, exchange, identityId, event, options)))
    throw new Refusal('wrong_credentials.changed')
}

/** Returns false when the session was not created. */
async function createSession(
  config: Config,
  exchange: Exchange,
  identityId: string,
  event: SecurityEventParams<'signed_in'>,
  { version, secondFactorAccepted }: { version: number | null; secondFactorAccepted: boolean },
): Promise<boolean> {
  const { db, request, reply } = exchange
  const { device, network } = clientOf(request)
  const previous = sessionHashOf(config, request)
  if (previous !== null) await endSession(db, previous, network, device)
  const secret = newSecret()
  const [row] = await insertSession(
    db,
    uuid(),
    identityId,
    secretHash(secret),
    device,
    network,
    SESSION_DAYS,
    version,
    event,
    secondFactorAccepted,
  )
  if (row === undefined) return false
  setCookie(config, reply, secret, new Date(row.expires_at))
  return true
}

/** Returns the session of the request's cookie and extends it. Returns undefined when nobody is signed in. */
export async function currentSession(config: Config, exchange: Exchange): Promise<SessionRow | undefined> {
  const { db, request, reply } = exchange
  const secret = secretIn(request, cookieOf(config, COOKIE))
  if (secret === undefined) return undefined
  const [session] = await readSession(db, secretHash(secret), SESSION_DAYS, SESSION_DAYS_MAX)
  if (session === undefined) clearCookie(config, reply)
  else if (session.extended) setCookie(config, reply, secret, new Date(session.expires_at))
  return session
}

/** Returns the hash of the secret in the request's cookie, if it has one. */
export function sessionHashOf(config: Config, request: FastifyRequest): Buffer | null {
  const secret = secretIn(request, cookieOf(config, COOKIE))
  return secret === undefined ? null : secretHash(secret)
}

/** Returns the id of the session of the request's cookie, if it is open, and does not extend it. */
export async function sessionOfCookie(
  config: Config,
  db: Db,
  request: FastifyRequest,
): Promise<string | undefined> {
  const hash = sessionHashOf(config, request)
  if (hash === null) return undefined
  const [session] = await readSessionId(db, hash)
  return session?.id
}

/** Ends the session of the request's cookie, if there is one. Its ID tokens become invalid. */
export async function endCurrentSession(config: Config, { db, request, reply }: Exchange): Promise<void> {
  const hash = sessionHashOf(config, request)
  const { network, device } = clientOf(request)
  if (hash !== null) await endSession(db, hash, network, device)
  clearCookie(config, reply)
}

/** Ends one session of this identity. @throws Refusal `not_found`. */
export async function endOwnSession(
  db: Db,
  identityId: string,
  id: string,
  { network, device }: Client,
): Promise<void> {
  const ended = await endOneSession(db, identityId, id, network, device)
  if (ended.length === 0) throw new Refusal('not_found.session')
}

/** Ends every session of an identity, on all devices. */
export async function endAllSessions(db: Db, identityId: string): Promise<void> {
  await endAllSessionsExcept(db, identityId, null)
}

export async function endOtherSessions(db: Db, identityId: string, current: string): Promise<void> {
  await endAllSessionsExcept(db, identityId, current)
}

function setCookie(config: Config, reply: FastifyReply, secret: string, expires: Date): void {
  const { name, options } = cookieOf(config, COOKIE)
  reply.setCookie(name, secret, { ...options, expires })
}

function clearCookie(config: Config, reply: FastifyReply): void {
  const { name, options } = cookieOf(config, COOKIE)
  reply.clearCookie(name, options)
}
