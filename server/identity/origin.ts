import type { onRequestHookHandler } from 'fastify'
import type { Config } from '#server/config.ts'
import { Refusal } from '#server/http/refusal.ts'
import { isSafeMethod } from '#server/http/safe-method.ts'

const LOCAL = ['localhost', '127.0.0.1', '[::1]']

/** Returns whether the server runs on a developer's machine, where the local host names are equivalent. */
export function isLocal(config: Config): boolean {
  return !config.production && LOCAL.includes(new URL(config.publicUrl).hostname)
}

/**
 * Returns a hook that rejects writes sent by another site's page (CSRF). A request with an `Origin` header must have
 * exactly ours; requests of scripts have none.
 */
export function refuseForeignOrigin(config: Config): onRequestHookHandler {
  const own = new URL(config.publicUrl)
  const origins = new Set([own.origin])
  if (isLocal(config)) {
    for (const name of LOCAL) origins.add(`${own.protocol}//${name}${own.port === '' ? '' : `:${own.port}`}`)
  }
  return ({ method, headers }, _reply, done) => {
    const isForeign =
      (headers.origin !== undefined && !origins.has(headers.origin)) ||
      headers['sec-fetch-site'] === 'cross-site'
    if (isSafeMethod(method) || !isForeign) done()
    else done(new Refusal('wrong_origin'))
  }
}
