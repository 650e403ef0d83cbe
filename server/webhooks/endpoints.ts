import { v7 as newId } from 'uuid'
import {
  type NewWebhookEndpoint,
  WEBHOOK_ENDPOINTS_MAX,
  type WebhookEndpoint,
  type WebhookEndpointChange,
} from '#contract/webhooks.ts'
import type { Config } from '#server/config.ts'
import { type Database, type Db, query, type Tx } from '#server/database/database.ts'
import { decrypt, encrypt, keyFor } from '#server/encryption.ts'
import type { Viewer } from '#server/http/caller.ts'
import type { Client } from '#server/http/client.ts'
import { addressRules } from '#server/http/public-request.ts'
import { Refusal } from '#server/http/refusal.ts'
import { queueMail } from '#server/mail/queue.ts'
import { logSecurityEvent } from '#server/security-log/log-event.ts'
import { presentEndpoint } from './present.ts'
import {
  changeEndpointStatement,
  createEndpointStatement,
  deleteEndpointStatement,
  deleteEndpointsOf,
  type EndpointRow,
  endpointOf,
  lockEndpointStatement,
  rotateSecretStatement,
} from './queries.ts'
import { newWebhookSecret } from './sign.ts'

const SECRET_OVERLAP = '24 hours'

type Change = 'created' | 'changed' | 'deleted' | 'secret_rotated'
type WithSecret = WebhookEndpoint & { secret: string }

const secretKey = (config: Config) => keyFor('webhook secrets', config)

/** Returns a decrypted secret of an endpoint, or undefined when AUTH_SECRET has changed since. */
export function decryptSecret(config: Config, endpointId: string, encrypted: Buffer): string | undefined {
  return decrypt(encrypted, endpointId, secretKey(config))
}

/**
 * Returns a user's endpoint by its id.
 * @throws Refusal `not_found` for an endpoint that does not exist or is another user's.
 */
export async function requireOwnEndpoint(db: Db, id: string, userId: string): Promise<EndpointRow> {
  const [row] = await endpointOf(db, id, userId)
  if (row === undefined) throw new Refusal('not_found.webhook_endpoint')
  return row
}

/**
 * Creates an endpoint, logs it and reports it by email. Returns it with its secret.
 * @throws Refusal `invalid_fields` for a URL that must not be requested, `state_conflict` above WEBHOOK_ENDPOINTS_MAX.
 */
export function createWebhookEndpoint(
  database: Database,
  config: Config,
  client: Client,
  viewer: Viewer,
  { name, url, events }: NewWebhookEndpoint,
): Promise<WithSecret> {
  refuseUrl(config, url)
  const [id, secret] = [newId(), newWebhookSecret()]
  const encrypted = encrypt(secret, id, secretKey(config))
  return database.transaction(async (tx) => {
    const row = await createEndpointStatement(
      tx,
      id,
      viewer.id,
      name,
      url,
      events,
      encrypted,
      WEBHOOK_ENDPOINTS_MAX,
    )
    const endpoint = presentEndpoint(row)
    await log(tx, client, viewer.id, name, 'created')
    await mailChange(tx, config, viewer, endpoint, 'created')
    return { ...endpoint, secret }
  })
}

/** Changes an endpoint and logs it. A new URL is reported by email. */
export function changeWebhookEndpoint(
  database: Database,
  config: Config,
  client: Client,
  viewer: Viewer,
  id: string,
  { name, url, events }: WebhookEndpointChange,
): Promise<WebhookEndpoint> {
  if (url !== undefined) refuseUrl(config, url)
  return database.transaction(async (tx) => {
    const { url: before } = await lockEndpointStatement(tx, id, viewer.id)
    const endpoint = presentEndpoint(
      await changeEndpointStatement(tx, id, viewer.id, name ?? null, url ?? null, events ?? null),
    )
    await log(tx, client, viewer.id, endpoint.name, 'changed')
    if (endpoint.url !== before) await mailChange(tx, config, viewer, endpoint, 'changed')
    return endpoint
  })
}

/** Replaces the secret of an endpoint; the previous one signs as well for a day. Returns the endpoint with the new one. */
export function rotateWebhookSecret(
  database: Database,
  config: Config,
  client: Client,
  viewer: Viewer,
  id: string,
): Promise<WithSecret> {
  const secret = newWebhookSecret()
  const encrypted = encrypt(secret, id, secretKey(config))
  return database.transaction(async (tx) => {
    const endpoint = presentEndpoint(
      await rotateSecretStatement(tx, id, viewer.id, encrypted, SECRET_OVERLAP),
    )
    await log(tx, client, viewer.id, endpoint.name, 'secret_rotated')
    await mailChange(tx, config, viewer, endpoint, 'secret_rotated')
    return { ...endpoint, secret }
  })
}

/** Deletes an endpoint; a job deletes its deliveries. A repeated deletion changes nothing. */
export function deleteWebhookEndpoint(
  database: Database,
  client: Client,
  id: string,
  userId: string,
): Promise<void> {
  return database.transaction(async (tx) => {
    const [deleted] = await deleteEndpointStatement(tx, id, userId)
    if (deleted !== undefined) await log(tx, client, userId, deleted.name, 'deleted')
  })
}

/** Pauses all endpoints of a user, because somebody else may have made them, and notifies the user. */
export const pauseAllWebhookEndpoints = query<never, [user: string]>(
  'webhook_endpoints_pause_of_user',
  'select pause_webhook_endpoints_of($1)',
)

/** Deletes all endpoints of a user and logs each, because a stranger may have made them. */
export async function deleteAllWebhookEndpoints(tx: Tx, client: Client, userId: string): Promise<void> {
  for (const { name } of await deleteEndpointsOf(tx, userId)) await log(tx, client, userId, name, 'deleted')
}

/** Throws for a URL that is not https, or whose host is an IP address of a private network, except in development. */
function refuseUrl(config: Config, url: string): void {
  const { protocol, hostname } = new URL(url)
  const host = hostname.replace(/^\[(.*)\]$/, '$1')
  const isAddress = /^[\d.]+$|:/.test(host)
  if (!config.isDevelopment && protocol !== 'https:') throwUrl('Enter a URL that starts with https://')
  if (isAddress && !addressRules(config).isAllowed(host)) throwUrl('Enter a URL on the public internet')
}

function throwUrl(message: string): never {
  throw new Refusal('invalid_fields.validation', { params: { message }, fields: { url: message } })
}

function mailChange(
  tx: Tx,
  config: Config,
  viewer: Viewer,
  { _id, name, url }: WebhookEndpoint,
  change: Change,
): Promise<void> {
  const mail = {
    template: 'webhook-changed',
    to: viewer.email,
    data: { name: viewer.name, endpoint: name, host: new URL(url).host, change },
    link: `${config.publicUrl}/dashboard/webhooks/${_id}`,
  }
  return queueMail(tx, config, viewer.id, mail, 'webhook')
}

function log(tx: Tx, client: Client, userId: string, name: string, change: Change): Promise<void> {
  return logSecurityEvent(tx, {
    kind: 'webhook_changed',
    params: { name, change },
    client,
    identityId: userId,
  })
}
