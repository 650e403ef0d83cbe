import type { FastifyInstance, FastifyRequest } from 'fastify'
import { LRUCache } from 'lru-cache'
import { API_PATH } from '#contract/endpoint.ts'
import type { ErrorCode } from '#contract/errors.ts'
import type { Database } from '#server/database/database.ts'
import { clientOf } from '#server/http/client.ts'
import { clientSite, NETWORKS_PER_SITE } from '#server/http/client-network.ts'
import { asRefusal } from '#server/http/errors.ts'
import { logSecurityEvent } from './log-event.ts'

/** The refusals that mean an attempt to do what the caller may not. */
const CODES: readonly ErrorCode[] = [
  'forbidden',
  'role_not_allowed',
  'not_yours',
  'proof_required',
  'second_factor_missing',
  'scope_missing',
  'wrong_origin',
]
const PER_CALLER = 20
const PER_NETWORK = 100
const HOUR_MS = 3_600_000
const COUNTED_MAX = 10_000

/**
 * Logs refusals of access with the caller and the endpoint. The first `PER_CALLER` of a caller and the first
 * `PER_NETWORK` of a network within an hour are logged, counted in memory, so that a flood writes nothing.
 */
export function logRefusals(app: FastifyInstance, { database }: { database: Database }): void {
  const counts = new LRUCache<string, { value: number }>({ max: COUNTED_MAX, ttl: HOUR_MS })
  function exceeds(key: string, max: number): boolean {
    const count = counts.get(key) ?? { value: 0 }
    if (count.value === 0) counts.set(key, count)
    return ++count.value > max
  }

  async function log(request: FastifyRequest, code: ErrorCode): Promise<void> {
    const client = clientOf(request)
    const identityId = request.caller?.identityId ?? null
    const site = clientSite(request.ip)
    if (exceeds(`network ${client.network}`, PER_NETWORK)) return
    if (site !== undefined && exceeds(`network ${site}`, PER_NETWORK * NETWORKS_PER_SITE)) return
    if (identityId !== null && exceeds(`caller ${identityId}`, PER_CALLER)) return
    const path = (request.routeOptions.url ?? '').replace(API_PATH, '')
    await logSecurityEvent(database, {
      kind: 'access_refused',
      params: { method: request.method, path, code },
      client,
      identityId,
    })
  }

  app.decorateRequest('caller', null)
  app.addHook('onError', async (request, _reply, error) => {
    const { code } = asRefusal(error)
    if (!CODES.includes(code)) return
    // The refusal is sent also when the log cannot be written.
    await log(request, code).catch((err: unknown) => request.log.error({ err }, 'a refusal was not logged'))
  })
}
