import { type FastifyReply, type FastifyRequest, type FastifyServerOptions, LogController } from 'fastify'

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

/** Logs one line per request, when its response has ended. */
export class RequestLog extends LogController {
  override incomingRequest(): void {}
  override routeNotFound(): void {}

  override requestCompleted(error: Error | null, request: FastifyRequest, reply: FastifyReply): void {
    const line = { req: request, res: reply, responseTime: Math.round(reply.elapsedTime * 10) / 10 }
    if (error) reply.log.error({ ...line, err: error }, 'request errored')
    else reply.log.info(line, 'request completed')
  }
}
