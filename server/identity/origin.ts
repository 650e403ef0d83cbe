import type { FastifyRequest } from 'fastify'
import type { Config } from '#server/config.ts'
import { Refusal } from '#server/http/refusal.ts'

const LOCAL = ['localhost', '127.0.0.1', '[::1]']

/**
 * Refuses a write that another site's page makes a browser send: its origin, where it is told, must be exactly ours.
 * Scripts tell none. In development the names of this machine stand for each other.
 */
export function refuseForeignOrigin(config: Config): (request: FastifyRequest) => Promise<void> {
  const own = new URL(config.publicUrl)
  const origins = new Set([own.origin])
  if (!config.production && LOCAL.includes(own.hostname)) {
    for (const name of LOCAL) origins.add(`${own.protocol}//${name}${own.port === '' ? '' : `:${own.port}`}`)
  }
  return async ({ method, headers }) => {
    if (method === 'GET' || method === 'HEAD' || method === 'OPTIONS') return
    const foreign = headers.origin !== undefined && !origins.has(headers.origin)
    if (foreign || headers['sec-fetch-site'] === 'cross-site') {
      throw new Refusal('wrong_origin', 'This request comes from another site.')
    }
  }
}
