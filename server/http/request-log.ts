import { type FastifyRequest, type FastifyServerOptions, LogController } from 'fastify'
import { CLIENT_CLOSED_REQUEST, type RequestEnds } from './request-ends.ts'

// Libraries attach the headers of a request to their errors, and at level trace they log under names of their own.
const KEYS = ['err', 'reason']
const KEYS_AT_TRACE = ['*']

/**
 * Returns logger options that keep a request's headers, body and query out of the log. Sign-in services and links in emails
 * put codes and tokens into the query.
 */
export function redactSecrets(logger: FastifyServerOptions['logger']): FastifyServerOptions['logger'] {
  if (typeof logger !== 'object') return logger
  const req = ({ method, url, host, ip }: FastifyRequest) => ({
    method,
    url: url.split('?', 1)[0],
    host,
    remoteAddress: ip,
  })
  // A wildcard is looked up in every line, which costs more than writing the line.
  const keys = logger.level === 'trace' ? KEYS_AT_TRACE : KEYS
  const paths = keys.flatMap((key) => [`${key}.headers`, `${key}.raw.headers`])
  return { ...logger, redact: { paths, remove: true }, serializers: { ...logger.serializers, req } }
}

/** Leaves out Fastify's own lines of requests, which it has of responses that were sent only. */
export class ErrorLog extends LogController {
  override incomingRequest(): void {}
  override routeNotFound(): void {}
  override requestCompleted(): void {}
}

/** Logs one line per request, when it has ended. */
export function logRequests(ends: RequestEnds): void {
  ends.on('ended', (request, reply, statusCode) => {
    const responseTime = Math.round(reply.elapsedTime * 10) / 10
    const message = statusCode === CLIENT_CLOSED_REQUEST ? 'request aborted' : 'request completed'
    reply.log.info({ req: request, res: { statusCode }, responseTime }, message)
  })
}
