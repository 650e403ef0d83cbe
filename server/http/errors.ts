import type { FastifyError, FastifyInstance } from 'fastify'
import pg from 'pg'
import { type ErrorCode, type ErrorReply, STATUS_OF } from '#contract/errors.ts'
import { isQueryTimeout } from '#server/database/database.ts'
import { Refusal } from './refusal.ts'

/** What is away or busy is worth another try soon. */
const WAIT_SECONDS = 2

/** The one place where an exception becomes an answer. Refusals are for the caller; the rest is for us. */
export function handleErrors(app: FastifyInstance): void {
  app.setErrorHandler((error: FastifyError, request, reply) => {
    const refusal = asRefusal(error)
    if (refusal.code === 'internal') request.log.error({ err: error }, 'unexpected failure')
    if (refusal.code === 'unavailable')
      request.log.warn({ reason: error.cause ?? error.message }, 'a dependency is down')
    const status = STATUS_OF[refusal.code]
    if (status === 503 || status === 429) reply.header('retry-after', refusal.waitSeconds ?? WAIT_SECONDS)
    return reply.status(status).send(errorReply(refusal))
  })
}

export function errorReply({ code, message, fields }: Refusal): ErrorReply {
  return { error: { code, message, ...(fields && { fields }) } }
}

const OF_FASTIFY: Record<string, [ErrorCode, string]> = {
  FST_ERR_CTP_BODY_TOO_LARGE: ['body_too_large', 'This is too much to send at once.'],
  FST_REQ_FILE_TOO_LARGE: ['body_too_large', 'This file is too large.'],
  FST_ERR_CTP_INVALID_MEDIA_TYPE: [
    'unsupported_media_type',
    'Send JSON with the content type application/json.',
  ],
  FST_ERR_CTP_INVALID_JSON_BODY: ['invalid_json', 'The body is not valid JSON.'],
}

/** A refusal as it is; what PostgreSQL and Fastify mean by theirs; everything else is a bug. */
export function asRefusal(error: unknown): Refusal {
  if (error instanceof Refusal) return error
  if (error instanceof pg.DatabaseError) return ofDatabase(error)
  if (!(error instanceof Error)) return new Refusal('internal', SORRY)
  const { code = '', statusCode = 500 } = error as FastifyError
  const known = OF_FASTIFY[code]
  if (known !== undefined) return new Refusal(...known)
  if (isQueryTimeout(error) || isConnectionFailure(code, error.message))
    return new Refusal('unavailable', UNCERTAIN)
  if (error instanceof SyntaxError && statusCode === 400)
    return new Refusal('invalid_json', 'The body is not valid JSON.')
  if (statusCode >= 400 && statusCode < 500)
    return new Refusal('invalid_request', 'This request cannot be understood.')
  return new Refusal('internal', SORRY)
}

const SORRY = 'Something went wrong!'
// The statement may have happened before the connection broke; with the same Idempotency-Key a retry is always safe.
const UNCERTAIN = 'The service did not answer in time. Please look whether it was done before you try again.'
const UNAVAILABLE = 'The service is busy or restarting. Nothing was changed; please try again in a moment.'

function ofDatabase(error: pg.DatabaseError): Refusal {
  const state = error.code ?? ''
  if (state === 'TW001') {
    const code = error.detail ?? ''
    return code in STATUS_OF ? new Refusal(code as ErrorCode, error.message) : new Refusal('internal', SORRY)
  }
  // Text that PostgreSQL cannot keep, like U+0000, can only have come from the caller.
  if (state === '22021' || state === '22P05')
    return new Refusal('invalid_request', 'Contains characters that cannot be stored')
  // Class 08 connection, 53 out of resources, 57P shutting down, 25006 read-only standby, 40 lost a race once too often.
  if (/^(08|53|57P|25006|40|55P03|57014)/.test(state)) return new Refusal('unavailable', UNAVAILABLE)
  return new Refusal('internal', SORRY)
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

/** `pg` reports a broken or full connection as a plain Error with one of these texts. */
function isConnectionFailure(code: string, message: string): boolean {
  return (
    CONNECTION_CODES.has(code) ||
    /connection terminated|timeout expired|timeout exceeded when trying to connect|client has encountered a connection error|query read timeout|cannot use a pool after calling end/i.test(
      message,
    )
  )
}
