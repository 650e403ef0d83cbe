import { v7 as newId } from 'uuid'
import { API_KEYS_MAX, type ApiKey, type NewApiKey } from '#contract/api-keys.ts'
import type { Config } from '#server/config.ts'
import { type Database, type Db, PIPELINED, query, type Tx } from '#server/database/database.ts'
import type { Viewer } from '#server/http/caller.ts'
import type { Client } from '#server/http/client.ts'
import { Refusal } from '#server/http/refusal.ts'
import { queueMail } from '#server/mail/queue.ts'
import { secretHash } from '#server/secrets.ts'
import { logSecurityEvent } from '#server/security-log/log-event.ts'
import { newApiKeySecret, prefixOf } from './secret.ts'

type KeyRow = {
  id: string
  name: string
  prefix: string
  scopes: string[]
  networks: string[]
  created_at: string
  expires_at: string
  revoked_at: string | null
  last_used_at: string | null
  last_used_network: string | null
}

const COLUMNS = `id, name, prefix, scopes, networks::text[] as networks, created_at, expires_at, revoked_at, last_used_at,
  last_used_network`

// Every key in use is listed, however many newer ones are not.
const keysOf = query<KeyRow, [user: string]>(
  'api_keys_of_user',
  `select * from (select ${COLUMNS} from api_keys where user_id = $1
                   order by revoked_at is null and expires_at > now() desc, id desc limit 100) as listed order by id desc`,
  PIPELINED,
)
const createKey = query<
  KeyRow,
  [
    id: string,
    user: string,
    name: string,
    prefix: string,
    hash: Buffer,
    scopes: readonly string[],
    networks: readonly string[],
    days: number,
    max: number,
  ]
>('create_api_key', `select ${COLUMNS} from create_api_key($1, $2, $3, $4, $5, $6, $7, $8, $9)`)
const revokeKey = query<{ name: string }, [id: string, user: string]>(
  'revoke_api_key',
  'update api_keys set revoked_at = now() where id = $1 and user_id = $2 and revoked_at is null returning name',
)
const revokeKeysOf = query<{ name: string }, [user: string]>(
  'revoke_api_keys_of_user',
  'update api_keys set revoked_at = now() where user_id = $1 and revoked_at is null and expires_at > now() returning name',
)
const isKeyOf = query<{ id: string }, [id: string, user: string]>(
  'api_key_of_user',
  'select id from api_keys where id = $1 and user_id = $2',
  PIPELINED,
)

export async function apiKeysOf(db: Db, userId: string): Promise<ApiKey[]> {
  return (await keysOf(db, userId)).map(present)
}

/** @throws Refusal `not_found` for a key that does not exist or is another user's. */
export async function requireOwnKey(db: Db, id: string, userId: string): Promise<void> {
  const [row] = await isKeyOf(db, id, userId)
  if (row === undefined) throw new Refusal('not_found.api_key')
}

/**
 * Creates an API key, logs it and reports it by email. Returns it with its secret, which is stored nowhere.
 * @throws Refusal `state_conflict` above API_KEYS_MAX keys, `role_not_allowed` for a user who has become an Admin.
 */
export function createApiKey(
  database: Database,
  config: Config,
  client: Client,
  viewer: Viewer,
  { name, scopes, networks = [], expiresInDays }: NewApiKey,
): Promise<ApiKey & { secret: string }> {
  const secret = newApiKeySecret()
  const [id, prefix, hash] = [newId(), prefixOf(secret), secretHash(secret)]
  return database.transaction(async (tx) => {
    const [row] = await createKey(
      tx,
      id,
      viewer.id,
      name,
      prefix,
      hash,
      scopes,
      networks,
      expiresInDays,
      API_KEYS_MAX,
    )
    if (row === undefined) throw new Error('create_api_key returned no key')
    await logSecurityEvent(tx, {
      kind: 'api_key_created',
      params: { name, scopes: scopes.join(', ') },
      client,
      identityId: viewer.id,
    })
    const mail = {
      template: 'api-key-created',
      to: viewer.email,
      data: { name: viewer.name, key: name, scopes: scopes.join(', ') },
      link: `${config.publicUrl}/dashboard/api-keys`,
    }
    await queueMail(tx, config, viewer.id, mail, 'api-key')
    return { ...present(row), secret }
  })
}

/**
 * Revokes an API key and logs it. A revoked key stays revoked.
 * @throws Refusal `not_found` for a key that does not exist or is another user's.
 */
export function revokeApiKey(database: Database, client: Client, id: string, userId: string): Promise<void> {
  return database.transaction(async (tx) => {
    await requireOwnKey(tx, id, userId)
    const [revoked] = await revokeKey(tx, id, userId)
    if (revoked === undefined) return
    await logSecurityEvent(tx, {
      kind: 'api_key_revoked',
      params: { name: revoked.name },
      client,
      identityId: userId,
    })
  })
}

/** Revokes all API keys of a user and logs each, because somebody else may have made them. */
export async function revokeAllApiKeys(tx: Tx, client: Client, userId: string): Promise<void> {
  for (const { name } of await revokeKeysOf(tx, userId))
    await logSecurityEvent(tx, { kind: 'api_key_revoked', params: { name }, client, identityId: userId })
}

function present(row: KeyRow): ApiKey {
  return {
    _id: row.id,
    name: row.name,
    prefix: row.prefix,
    scopes: row.scopes,
    networks: row.networks,
    createdAt: row.created_at,
    expiresAt: row.expires_at,
    revokedAt: row.revoked_at,
    lastUsedAt: row.last_used_at,
    lastUsedNetwork: row.last_used_network,
  }
}
