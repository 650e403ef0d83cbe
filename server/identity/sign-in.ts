import type { FastifyRequest } from 'fastify'
import type { Config } from '#server/config.ts'
import { type Db, query } from '#server/database/database.ts'
import { emailKey } from '#server/email-key.ts'
import { clientOf } from '#server/http/client.ts'
import { clientNetwork, clientSite } from '#server/http/client-network.ts'
import {
  consumeRateLimit,
  hashed,
  type Limit,
  refundRateLimit,
  resetRateLimit,
  throwRateLimited,
} from '#server/http/rate-limit.ts'
import { Refusal } from '#server/http/refusal.ts'
import { emailHash, logSecurityEvent } from '#server/security-log/log-event.ts'
import { limitSignIns } from './concurrency-limits.ts'
import { knownDevice } from './known-devices.ts'
import { verifyPassword } from './password.ts'
import { suitsAdmin } from './password-rules.ts'

const readIdentity = query<
  {
    id: string
    name: string
    email: string
    password_hash: string | null
    password_suits_admin: boolean | null
    email_verified: boolean
    deleted: boolean
    version: number
  },
  [emailKey: string]
>(
  'identity_for_sign_in',
  `select identities.id, identities.name, identities.email, password_hash, password_suits_admin,
          email_verified_at is not null as email_verified, users.deleted_at is not null as deleted,
          credentials_version as version
     from identities left join users on users.id = identities.id where identities.email_key = $1`,
)
const storeSuitsAdmin = query<never, [id: string, passwordHash: string | null, suitsAdmin: boolean]>(
  'identity_password_suits_admin',
  'update identities set password_suits_admin = $3 where id = $1 and password_hash = $2',
)
const readNetworkKnown = query<{ known: boolean }, [emailKey: string, network: string]>(
  'identity_network_known',
  `select exists (select from sessions join identities on identities.id = identity_id
                   where identities.email_key = $1 and network = $2) as known`,
)

type Credentials = { email: string; password: string }
type Identity = {
  id: string
  name: string
  email: string
  emailKey: string
  emailVerified: boolean
  /** The version of the credentials that were checked. */
  version: number
}

/**
 * Checks email and password. Unknown email, deleted user and wrong password give the same response after the same work.
 * Failures are limited where they come from (see `countAttempt`). A failure within the limits is logged.
 * @throws Refusal `wrong_credentials`, `too_many_requests`, `unavailable`.
 */
export async function signIn(
  db: Db,
  config: Config,
  request: FastifyRequest,
  credentials: Credentials,
): Promise<Identity> {
  return limitSignIns(() => checkCredentials(db, config, request, credentials))
}

/**
 * Returns the limits of failures that apply to a device that is not known, from the one that affects the fewest. A customer may
 * own all networks of an IPv6 /48, so these together have a limit that does not fill the one per email.
 */
function limitsOf(key: string, { ip }: FastifyRequest): [own: Limit, ...shared: Limit[]] {
  const [user, network, site] = [hashed(key), clientNetwork(ip), clientSite(ip)]
  return [
    { key: `sign-in:${user}:${network}`, max: 10, seconds: 900 },
    ...(site === undefined
      ? []
      : [{ key: `sign-in:${user}:${site}`, max: 50, seconds: 900, soft: true as const }]),
    { key: `sign-in:${network}`, max: 200, seconds: 900 },
    { key: `sign-in:${user}`, max: 300, seconds: 3600, soft: true },
  ]
}

/**
 * Resets the failures under an email, so that the owner of the mailbox can sign in from this network, even while strangers
 * exhaust the limits.
 */
export async function resetFailures(db: Db, key: string, request: FastifyRequest): Promise<void> {
  const [own, ...shared] = limitsOf(key, request)
  await resetRateLimit(db, own.key, ...shared.filter(({ soft }) => soft).map((limit) => limit.key))
}

/**
 * Counts an attempt under the limits that apply to it and returns them. A device on which the user signed in before has a
 * limit of its own, so that nobody else can lock it out. For any other device the limits are counted one after the
 * other: an attempt that is refused does not count under the next. The limits per email and /48, and per email, do not
 * apply to networks where the user signed in before.
 */
async function countAttempt(
  db: Db,
  key: string,
  request: FastifyRequest,
  device: string | undefined,
): Promise<[own: Limit, ...shared: Limit[]]> {
  if (device !== undefined) {
    const perDevice: Limit = { key: `sign-in:${hashed(key)}:device:${device}`, max: 10, seconds: 900 }
    const [exceeded] = await consumeRateLimit(db, [perDevice])
    if (exceeded) throwRateLimited(exceeded.resetsAt)
    return [perDevice]
  }
  const limits = limitsOf(key, request)
  for (const limit of limits) {
    const [exceeded] = await consumeRateLimit(db, [limit])
    if (exceeded === undefined) continue
    const [row] = limit.soft ? await readNetworkKnown(db, key, clientNetwork(request.ip)) : []
    if (!row?.known) throwRateLimited(exceeded.resetsAt)
  }
  return limits
}

async function checkCredentials(
  db: Db,
  config: Config,
  request: FastifyRequest,
  { email, password }: Credentials,
): Promise<Identity> {
  const key = emailKey(email) ?? ''
  const client = clientOf(request)
  const [own, ...shared] = await countAttempt(db, key, request, knownDevice(config, request, key))

  const [identity] = await readIdentity(db, key)
  const correct = await verifyPassword(password, identity?.password_hash ?? null)
  if (!correct || identity === undefined || identity.deleted) {
    const known = identity?.deleted ? 'deleted_user' : 'wrong_password'
    await logSecurityEvent(db, {
      kind: 'sign_in_failed',
      params: { reason: identity === undefined ? 'unknown_email' : known },
      client,
      identityId: identity?.id ?? null,
      ...(identity === undefined && { emailHash: emailHash(key, config) }),
    })
    throw new Refusal('wrong_credentials')
  }
  // Version 0.3 and earlier change a password without it.
  const suits = suitsAdmin(password)
  if (identity.password_suits_admin !== suits)
    await storeSuitsAdmin(db, identity.id, identity.password_hash, suits)
  if (shared.length > 0) await refundRateLimit(db, shared)
  await resetRateLimit(db, own.key)
  return {
    id: identity.id,
    name: identity.name,
    email: identity.email,
    emailKey: key,
    emailVerified: identity.email_verified,
    version: identity.version,
  }
}
