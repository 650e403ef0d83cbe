import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import pg from 'pg'
import { type ErrorReply, STATUS_OF } from '#contract/errors.ts'
import type { Locale } from '#contract/locales.ts'
import { type PlainRefusalKey, REFUSAL_TEXTS, type RefusalKey } from '#contract/refusals.en.ts'
import { isQueryTimeout } from '#server/database/database.ts'
import { Refusal } from './refusal.ts'
import { requestLocale } from './request-locale.ts'

/** Sent as Retry-After where a refusal says nothing else. */
const RETRY_AFTER_SECONDS = 2

/** Turns every exception into an error response. Failures that are no refusal are logged. */
export function handleErrors(app: FastifyInstance): void {
  app.setErrorHandler((error: FastifyError, request, reply) => {
    const refusal = asRefusal(error)
    logFailure(request, refusal, error)
    const status = STATUS_OF[refusal.code]
    if (status === 503 || status === 429)
      reply.header('retry-after', refusal.waitSeconds ?? RETRY_AFTER_SECONDS)
    return sendRefusal(reply, refusal)
  })
}

/** Sends a refusal in the language of the request, with the header that names it. `status` is that of its code. */
export function sendRefusal(
  reply: FastifyReply,
  refusal: Refusal,
  status: number = STATUS_OF[refusal.code],
): FastifyReply {
  const locale = requestLocale(reply.request)
  return reply.status(status).headers(errorHeaders(locale)).send(errorReply(refusal, locale))
}

/** Returns the headers that name the language of an error. */
export const errorHeaders = (locale: Locale) => ({ 'content-language': locale, vary: 'accept-language' })

/** Logs an error that is no refusal. */
export function logFailure(request: FastifyRequest, { code }: Refusal, error: unknown): void {
  if (code === 'internal') request.log.error({ err: error }, 'unexpected failure')
  if (code === 'unavailable') {
    const { cause, message } = error as Error
    request.log.warn({ reason: cause ?? message }, 'a dependency is down')
  }
}

export function errorReply(refusal: Refusal, locale: Locale): ErrorReply {
  const { message, fields } = refusal.in(locale)
  return { error: { code: refusal.code, message, ...(fields && { fields }) } }
}

const OF_FASTIFY: Record<string, PlainRefusalKey> = {
  FST_ERR_CTP_BODY_TOO_LARGE: 'body_too_large',
  FST_REQ_FILE_TOO_LARGE: 'body_too_large.file',
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'unsupported_media_type',
  FST_ERR_CTP_INVALID_JSON_BODY: 'invalid_json',
}

/** Returns the refusal that an error of ours, of PostgreSQL or of Fastify means; `internal` for a bug. */
export function asRefusal(error: unknown): Refusal {
  if (error instanceof Refusal) return error
  if (error instanceof pg.DatabaseError) return ofDatabase(error)
  if (!(error instanceof Error)) return new Refusal('internal')
  const { code = '', statusCode = 500 } = error as FastifyError
  const known = OF_FASTIFY[code]
  if (known !== undefined) return new Refusal(known)
  // The statement may have run before the connection broke; with the same Idempotency-Key a retry is always safe.
  if (isQueryTimeout(error) || isConnectionFailure(code, error.message))
    return new Refusal('unavailable.timeout')
  if (error instanceof SyntaxError && statusCode === 400) return new Refusal('invalid_json')
  if (statusCode >= 400 && statusCode < 500) return new Refusal('invalid_request')
  return new Refusal('internal')
}

function ofDatabase(error: pg.DatabaseError): Refusal {
  const state = error.code ?? ''
  if (state === 'TW001') return ofSqlRefusal(error.message, error.detail ?? '{}')
  // Text that PostgreSQL cannot keep, like U+0000, can only have come from the caller.
  if (state === '22021' || state === '22P05') return new Refusal('invalid_request.characters')
  // Class 08 connection, 53 out of resources, 57P shutting down, 25006 read-only standby, 40 lost a race once too often.
  if (/^(08|53|57P|25006|40|55P03|57014)/.test(state)) return new Refusal('unavailable')
  return new Refusal('internal')
}

/** Returns what `refuse` raised (server/database/refuse.sql). */
function ofSqlRefusal(key: string, params: string): Refusal {
  if (!Object.hasOwn(REFUSAL_TEXTS, key)) return new Refusal('internal')
  return Refusal.of({ key: key as RefusalKey, params: JSON.parse(params) })
}

const CONNECTION_CODES = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ENOENT',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
])

/** Returns whether a connection broke or none was free, which `pg` reports as a plain Error with one of these texts. */
function isConnectionFailure(code: string, message: string): boolean {
  return (
    CONNECTION_CODES.has(code) ||
    /connection terminated|timeout expired|timeout exceeded when trying to connect|client has encountered a connection error|query read timeout|cannot use a pool after calling end/i.test(
      message,
    )
  )
}
