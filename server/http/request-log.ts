import type { FastifyRequest, FastifyServerOptions } from 'fastify'

// Where libraries hand over what they were given, at level trace or inside an error.
const HEADERS = ['*.headers', '*.raw.headers']

/**
 * What the log says of a request: everything but its headers, its body and its query, where sign-in context and links
 * in mails put codes and tokens.
 */
export function redactSecrets(logger: FastifyServerOptions['logger']): FastifyServerOptions['logger'] {
  if (typeof logger !== 'object') return logger
  const req = ({ method, url, host, ip }: FastifyRequest) => ({
    method,
    url: url.split('?', 1)[0],
    host,
    remoteAddress: ip,
  })
  return { ...logger, redact: { paths: HEADERS, remove: true }, serializers: { ...logger.serializers, req } }
}
