import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { ApiKeyUse } from '#contract/api-keys.ts'
import { API_PATH } from '#contract/endpoint.ts'
import { type Database, PIPELINED, query } from '#server/database/database.ts'
import { deleteInBatches } from '#server/database/delete-in-batches.ts'
import { clientNetwork } from '#server/http/client-network.ts'
import { createWriteBuffer } from '#server/http/write-buffer.ts'

const MINUTE_MS = 60_000
const BATCH = 5_000

declare module 'fastify' {
  interface FastifyInstance {
    /** Counts a request of an API key. Only for a stream, which counts when it opens. */
    countApiKeyUse(request: FastifyRequest, status: number): void
  }
}

type Use = Omit<ApiKeyUse, 'minute'> & { key: string; minute: string; at: string }

const recordUses = query<never, [uses: string]>('api_key_uses_record', 'select record_api_key_uses($1)')
/** Returns the latest uses of a key, at most 100. */
export const usesOf = query<ApiKeyUse, [key: string]>(
  'api_key_uses',
  `select minute, operation, status, requests, network from api_key_uses where key_id = $1
    order by minute desc, operation, status limit 100`,
  PIPELINED,
)
const deleteUses = query<{ minute: string }, [batch: number]>(
  'purge_api_key_uses',
  `delete from api_key_uses where (key_id, minute, operation, status) in (
     select key_id, minute, operation, status from api_key_uses
      where minute < now() - interval '30 days' order by minute limit $1 for update skip locked)
   returning minute`,
)

/**
 * Counts the requests of API keys, also those whose client disconnects before the response. Returns a function that writes at
 * once.
 */
export function recordKeyUses(app: FastifyInstance, database: Database): () => Promise<void> {
  const uses = createWriteBuffer<Use>(app, 'uses of API keys', (batch) =>
    recordUses(database, JSON.stringify(batch)),
  )

  function count(request: FastifyRequest, status: number): void {
    const key = request.caller?.key
    if (!key) return
    const now = Date.now()
    const minute = new Date(now - (now % MINUTE_MS)).toISOString()
    const operation = `${request.method} ${(request.routeOptions.url ?? '').replace(API_PATH, '')}`
    const name = `${key.id} ${minute} ${operation} ${status}`
    const at = new Date(now).toISOString()
    const requests = (uses.get(name)?.requests ?? 0) + 1
    uses.set(name, {
      key: key.id,
      minute,
      operation,
      status,
      requests,
      network: clientNetwork(request.ip),
      at,
    })
  }

  // A response is sent to a client that has disconnected too, but onResponse is not called then.
  app.addHook('onSend', (request, reply, payload, done) => {
    count(request, reply.statusCode)
    done(null, payload)
  })
  app.decorate('countApiKeyUse', count)
  return uses.flush
}

/** Deletes uses that are older than 30 days. Returns how many. */
export function purgeApiKeyUses(database: Database): Promise<number> {
  return deleteInBatches(BATCH, async (batch) => (await deleteUses(database, batch)).length)
}
