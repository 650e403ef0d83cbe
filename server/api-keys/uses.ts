import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { ApiKeyUse } from '#contract/api-keys.ts'
import { API_PATH } from '#contract/endpoint.ts'
import { type Database, type Db, PIPELINED, query } from '#server/database/database.ts'
import { deleteInBatches } from '#server/database/delete-in-batches.ts'
import { clientNetwork } from '#server/http/client-network.ts'

const FLUSH_MS = 5_000
/** The different uses that an instance buffers between two writes; more are not recorded. */
const BUFFERED_MAX = 10_000
const MINUTE_MS = 60_000
const BATCH = 5_000

type Use = Omit<ApiKeyUse, 'minute'> & { key: string; minute: string; at: string }

const recordUses = query<never, [uses: string]>('api_key_uses_record', 'select record_api_key_uses($1)')
const readUses = query<ApiKeyUse, [key: string]>(
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
 * Counts the requests of API keys in memory and writes them every five seconds and when the server stops, so that no
 * request waits for it. Returns a function that writes at once.
 */
export function recordKeyUses(app: FastifyInstance, database: Database): () => Promise<void> {
  let uses = new Map<string, Use>()

  async function flush(): Promise<void> {
    if (uses.size === 0) return
    const batch = uses
    uses = new Map()
    await recordUses(database, JSON.stringify([...batch.values()]))
  }
  /** Uses that cannot be written are lost: they are a report, not a count that decides. */
  const flushOrLog = () =>
    flush().catch((err: unknown) => app.log.warn({ err }, 'uses of API keys were not recorded'))

  function count(request: FastifyRequest, key: string, status: number): void {
    const now = Date.now()
    const minute = new Date(now - (now % MINUTE_MS)).toISOString()
    const operation = `${request.method} ${(request.routeOptions.url ?? '').replace(API_PATH, '')}`
    const name = `${key} ${minute} ${operation} ${status}`
    const at = new Date(now).toISOString()
    const network = clientNetwork(request.ip)
    const known = uses.get(name)
    if (known !== undefined) Object.assign(known, { requests: known.requests + 1, network, at })
    else if (uses.size < BUFFERED_MAX)
      uses.set(name, { key, minute, operation, status, requests: 1, network, at })
  }

  app.addHook('onResponse', (request, reply, done) => {
    const key = request.caller?.key
    if (key) count(request, key.id, reply.statusCode)
    done()
  })
  const timer = setInterval(() => void flushOrLog(), FLUSH_MS).unref()
  app.addHook('onClose', async () => {
    clearInterval(timer)
    await flushOrLog()
  })
  return flush
}

/** Returns the latest uses of a key. */
export const usesOf = (db: Db, key: string): Promise<ApiKeyUse[]> => readUses(db, key)

/** Deletes uses that are older than 30 days. Returns how many. */
export function purgeApiKeyUses(database: Database): Promise<number> {
  return deleteInBatches(BATCH, async (batch) => (await deleteUses(database, batch)).length)
}
