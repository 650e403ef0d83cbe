import type { IncomingMessage } from 'node:http'
import { WEBHOOK_ERRORS, WEBHOOK_TIMEOUT_SECONDS } from '#contract/webhooks.ts'
import type { Config } from '#server/config.ts'
import type { Database } from '#server/database/database.ts'
import { deleteInBatches } from '#server/database/delete-in-batches.ts'
import { AddressRefused, addressRules, requestPublic } from '#server/http/public-request.ts'
import { queueMail } from '#server/mail/queue.ts'
import { decryptSecret } from './endpoints.ts'
import { bodyOf } from './present.ts'
import {
  type ClaimedRow,
  claimDeliveries,
  deleteDeliveriesOfDeleted,
  deleteEmptyEndpoints,
  deleteOldDeliveries,
  finishAttempt,
  type Stopped,
  userOf,
} from './queries.ts'
import { signedHeaders } from './sign.ts'

/** The delays after failed attempts: about 75 hours together (docs/specification/webhooks.md#deliveries). */
const RETRY_DELAYS = ['5 s', '5 min', '30 min', '2 h', '5 h', '10 h', '14 h', '20 h', '24 h']
/** An endpoint with only failures for this long is paused. */
const PAUSE_AFTER = '3 days'
const TIMEOUT_MS = WEBHOOK_TIMEOUT_SECONDS * 1000
/** How long a claim lasts: the timeout, and time to store the outcome. */
const LEASE = '30 s'
const BODY_BYTES = 2048
/** Deliveries of one endpoint that are in flight at a time. */
const PARALLEL = 10
const PURGE_BATCH = 2_000

type Context = { database: Database; config: Config }
type Outcome = { status: number | null; error: string | null; body: string; durationMs: number }

/**
 * Delivers what is due at an endpoint until nothing is, `stopping` is aborted or `performance.now()` reaches `endsAt`: requests
 * in flight are finished. Returns the number of attempts. Runs at the same time share the deliveries: each claims what it
 * sends.
 */
export async function deliverDue(
  context: Context,
  endpointId: string,
  stopping: AbortSignal,
  endsAt = Infinity,
): Promise<number> {
  let attempts = 0
  while (!stopping.aborted && performance.now() < endsAt) {
    const claimed = await claimDeliveries(context.database, endpointId, PARALLEL, LEASE)
    if (claimed.length === 0) break
    await Promise.all(claimed.map((delivery) => attempt(context, delivery)))
    attempts += claimed.length
  }
  return attempts
}

async function attempt({ database, config }: Context, delivery: ClaimedRow): Promise<void> {
  const { status, error, body, durationMs } = await send(config, delivery)
  await database.transaction(async (tx) => {
    const [stopped] = await finishAttempt(
      tx,
      delivery.id,
      delivery.claim,
      delivery.url,
      status,
      error,
      body,
      durationMs,
      RETRY_DELAYS,
      PAUSE_AFTER,
    )
    if (stopped === undefined) return
    const [user] = await userOf(tx, stopped.user_id)
    if (user !== undefined)
      await queueMail(tx, config, stopped.user_id, stoppedMail(config, delivery, stopped, user))
  })
}

function stoppedMail(
  { publicUrl }: Config,
  { endpoint_id, url }: ClaimedRow,
  { outcome, name: endpoint }: Stopped,
  { name, email }: { name: string; email: string },
) {
  return {
    template: 'webhook-stopped',
    to: email,
    data: { name, endpoint, host: new URL(url).host, outcome },
    link: `${publicUrl}/dashboard/webhooks/${endpoint_id}`,
  }
}

/** Sends an event and returns what its receiver responded. Redirects are not followed. */
async function send(config: Config, delivery: ClaimedRow): Promise<Outcome> {
  const { event_id: id, endpoint_id, url } = delivery
  const startedAt = performance.now()
  const outcome = (status: number | null, error: string | null, body = ''): Outcome => {
    return { status, error, body, durationMs: Math.round(performance.now() - startedAt) }
  }
  const secrets = [delivery.secret, delivery.previous_secret]
    .filter((secret) => secret !== null)
    .map((secret) => decryptSecret(config, endpoint_id, secret))
    .filter((secret) => secret !== undefined)
  if (secrets.length === 0) return outcome(null, WEBHOOK_ERRORS.secret)
  if (!config.isDevelopment && !url.startsWith('https:')) return outcome(null, WEBHOOK_ERRORS.scheme)

  const body = bodyOf(delivery)
  const headers = {
    'content-type': 'application/json',
    'content-length': String(Buffer.byteLength(body)),
    'user-agent': 'Tallywork-Webhooks/1',
    ...signedHeaders(secrets, { id, seconds: Math.floor(Date.now() / 1000), body }),
  }
  try {
    const options = { method: 'POST', headers, body, timeoutMs: TIMEOUT_MS }
    return await requestPublic(url, addressRules(config), options, async (response) =>
      outcome(response.statusCode ?? 0, null, await beginningOf(response)),
    )
  } catch (error) {
    return outcome(null, reasonOf(error))
  }
}

/** Returns the first 2 kB of a body as text, or what arrived of a body that breaks off. The rest is not read. */
async function beginningOf(response: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  let bytes = 0
  try {
    for await (const chunk of response as AsyncIterable<Buffer>) {
      chunks.push(chunk)
      bytes += chunk.length
      if (bytes >= BODY_BYTES) break
    }
  } catch {
    // The status has arrived and decides; a receiver that has the event need not get it twice for its broken body.
  }
  const text = new TextDecoder().decode(Buffer.concat(chunks).subarray(0, BODY_BYTES))
  return text.replaceAll('\u0000', '')
}

/** Returns why there was no response: one text for names without an address and names of private networks. */
function reasonOf(error: unknown): string {
  const { name, code = '', message } = error as Error & { code?: string }
  if (error instanceof AddressRefused || code === 'ENOTFOUND') return WEBHOOK_ERRORS.privateHost
  if (name === 'TimeoutError' || name === 'AbortError') return WEBHOOK_ERRORS.timeout
  return (code || message).slice(0, 200)
}

/**
 * Deletes deliveries that are older than 30 days and those of deleted endpoints, with their attempts, and these endpoints. Returns
 * the number of deliveries.
 */
export async function purgeWebhookDeliveries(database: Database): Promise<number> {
  const ofDeleted = await deleteInBatches(
    PURGE_BATCH,
    async (batch) => (await deleteDeliveriesOfDeleted(database, batch)).length,
  )
  await deleteEmptyEndpoints(database)
  const old = await deleteInBatches(
    PURGE_BATCH,
    async (batch) => (await deleteOldDeliveries(database, batch)).length,
  )
  return ofDeleted + old
}
