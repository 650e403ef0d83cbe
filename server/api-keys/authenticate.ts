import { isIP } from 'node:net'
import type { FastifyRequest } from 'fastify'
import { LRUCache } from 'lru-cache'
import type { ApiScope, Role } from '#contract/endpoint.ts'
import { knownLocale } from '#contract/locales.ts'
import { type Database, PIPELINED, query } from '#server/database/database.ts'
import type { Caller } from '#server/http/caller.ts'
import { clientOf } from '#server/http/client.ts'
import { Refusal } from '#server/http/refusal.ts'
import { secretHash } from '#server/secrets.ts'
import { logSecurityEvent } from '#server/security-log/log-event.ts'
import { hasKeyForm } from './secret.ts'

type KeyRow = {
  id: string
  name: string
  scopes: ApiScope[]
  is_expired: boolean
  is_network_allowed: boolean
  user_id: string
  user_name: string
  user_email: string
  user_email_key: string
  email_verified: boolean
  role: Role
  locale: string
  account_id: number
}

const readKey = query<KeyRow, [hash: Buffer, ip: string | null]>(
  'caller_of_api_key',
  `select api_keys.id, api_keys.name, api_keys.scopes, api_keys.expires_at <= now() as is_expired,
          cardinality(api_keys.networks) = 0 or coalesce($2::inet <<= any (api_keys.networks), false) as is_network_allowed,
          users.id as user_id, users.name as user_name, users.email as user_email, users.email_key as user_email_key,
          identities.email_verified_at is not null as email_verified, users.role, users.locale, users.account_id
     from api_keys join users on users.id = api_keys.user_id join identities on identities.id = users.id
    where api_keys.secret_hash = $1 and api_keys.revoked_at is null and users.deleted_at is null and users.role <> 'Admin'`,
  PIPELINED,
)

/** The refusals of a key that an instance logs within an hour, so that a flood of them writes nothing. */
const LOGGED_PER_KEY = 5
const HOUR_MS = 3_600_000
const KEYS_MAX = 5_000

/**
 * Returns a function that authenticates an API key (docs/specification/api-keys.md). Its user and role are read from the
 * database on every request, so a revoked key, a deleted user and a new Admin lose access at once.
 * @throws Refusal `invalid_token` for an unknown, revoked or expired key, `network_not_allowed`.
 */
export function createKeyAuthenticate(database: Database) {
  const logged = new LRUCache<string, { value: number }>({ max: KEYS_MAX, ttl: HOUR_MS })

  async function logRefused(request: FastifyRequest, row: KeyRow, reason: 'expired' | 'network') {
    const count = logged.get(row.id) ?? { value: 0 }
    if (count.value === 0) logged.set(row.id, count)
    if (++count.value > LOGGED_PER_KEY) return
    const event = { kind: 'api_key_refused', params: { name: row.name, reason } } as const
    // The refusal is sent also when the log cannot be written.
    await logSecurityEvent(database, { ...event, client: clientOf(request), identityId: row.user_id }).catch(
      (err: unknown) => request.log.error({ err }, 'a refusal was not logged'),
    )
  }

  return async (token: string, request: FastifyRequest): Promise<Caller> => {
    if (!hasKeyForm(token)) throw new Refusal('invalid_token.api_key')
    const [row] = await readKey(database, secretHash(token), addressOf(request))
    if (row === undefined) throw new Refusal('invalid_token.api_key')
    if (row.is_expired) {
      await logRefused(request, row, 'expired')
      throw new Refusal('invalid_token.api_key_expired')
    }
    if (!row.is_network_allowed) {
      await logRefused(request, row, 'network')
      throw new Refusal('network_not_allowed')
    }
    const user = { name: row.user_name, email: row.user_email, emailKey: row.user_email_key }
    return {
      ...user,
      identityId: row.user_id,
      sessionId: null,
      key: { id: row.id, scopes: row.scopes },
      emailVerified: row.email_verified,
      fresh: false,
      lacksSecondFactor: false,
      // Reviews are decided by people: a reviewer's key does not have the permission.
      viewer: {
        ...user,
        id: row.user_id,
        role: row.role,
        isReviewer: false,
        locale: knownLocale(row.locale),
        accountId: row.account_id,
      },
    }
  }
}

/** Returns the address of a request as PostgreSQL reads it: IPv4 as such, without the zone of a local IPv6 address. */
function addressOf({ ip }: FastifyRequest): string | null {
  const address = ip.replace(/^::ffff:(?=\d+\.)/i, '').replace(/%.*$/, '')
  return isIP(address) === 0 ? null : address
}
