import type { FastifyReply } from 'fastify'
import { API_KEY_REQUESTS_PER_MINUTE } from '#contract/api-keys.ts'
import type { Database } from '#server/database/database.ts'
import { throwRateLimited } from './rate-limit.ts'
import { createSharedCounts } from './shared-counts.ts'

const WINDOW_SECONDS = 60
const KEYS_MAX = 5000

/**
 * Returns a function that counts a request of an API key and sets the headers of its limit
 * (draft-ietf-httpapi-ratelimit-headers). It throws the refusal `too_many_requests` above API_KEY_REQUESTS_PER_MINUTE.
 */
export function createApiKeyLimit(database: Database): (reply: FastifyReply, keyId: string) => Promise<void> {
  const counts = createSharedCounts(database, WINDOW_SECONDS, KEYS_MAX)

  return async (reply, keyId) => {
    const count = counts.countOf(`api key ${keyId}`, API_KEY_REQUESTS_PER_MINUTE)
    const exceeded = await counts.add([count])
    const left = exceeded ? 0 : Math.max(0, count.max - count.added - count.pending)
    const seconds = Math.max(1, Math.ceil((count.resetsAt - Date.now()) / 1000))
    reply.header('ratelimit-policy', `"key";q=${API_KEY_REQUESTS_PER_MINUTE};w=${WINDOW_SECONDS}`)
    reply.header('ratelimit', `"key";r=${left};t=${seconds}`)
    if (exceeded) throwRateLimited(new Date(count.resetsAt))
  }
}
