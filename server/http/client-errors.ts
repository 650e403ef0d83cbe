import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { DEFAULT_LOCALE } from '#contract/locales.ts'
import type { Config } from '#server/config.ts'
import { addressesIn } from './address-ranges.ts'
import { asRefusal, errorReply, sendRefusal } from './errors.ts'
import { securityHeaders } from './headers.ts'
import { Refusal } from './refusal.ts'
import { emitEndOf, type RequestEnds } from './request-ends.ts'

/** Returns a handler that replies with an error body to a request that the router cannot read, such as a broken escape in the URL. */
export function replyToFrameworkError(config: Config, ends: RequestEnds) {
  const { ofPrivate } = securityHeaders(config)
  const isProxy = addressesIn(config.trustProxy)
  return (error: FastifyError, request: FastifyRequest, reply: FastifyReply): void => {
    const startedAt = performance.now()
    // Fastify trusts proxies and measures time for requests that it routes only. The host stays that of the last proxy.
    Object.defineProperty(request, 'ip', { value: clientAddress(request.raw, isProxy) })
    Object.defineProperty(reply, 'elapsedTime', { get: () => performance.now() - startedAt })
    // Fastify runs no hooks either.
    emitEndOf(request, reply, ends)
    void sendRefusal(reply.headers(ofPrivate), asRefusal(error))
  }
}

/** Returns the IP address of the client: the last hop that is no trusted proxy, or the first hop when all are. */
function clientAddress({ socket, headers }: IncomingMessage, isProxy: (ip: string) => boolean): string {
  const forwarded = String(headers['x-forwarded-for'] ?? '').split(',')
  const hops = [...forwarded.map((ip) => ip.trim()).filter((ip) => ip !== ''), socket.remoteAddress ?? '']
  return hops.findLast((ip) => !isProxy(ip)) ?? hops[0] ?? ''
}

const MALFORMED = JSON.stringify(errorReply(new Refusal('invalid_request'), DEFAULT_LOCALE))

/** After an error, the client has this time to read the reply and to close. */
const LINGER_MS = 1_000

/** Returns a handler that replies to bytes that are not HTTP, or that arrive too slowly, and destroys the connection. */
export function replyToClientError(config: Config) {
  const headers = {
    ...securityHeaders(config).ofPrivate,
    'content-language': DEFAULT_LOCALE,
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(MALFORMED),
    connection: 'close',
  }
  const rest = `${Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join('')}\r\n${MALFORMED}`

  return (error: NodeJS.ErrnoException, socket: Socket): void => {
    if (error.code === 'ECONNRESET' || !socket.writable) {
      socket.destroy(error)
      return
    }
    socket.end(`HTTP/1.1 ${statusLineOf(error)}\r\n${rest}`)
    // A half-closed connection would stay for as long as the client keeps its own half open.
    const timer = setTimeout(() => socket.destroy(), LINGER_MS)
    socket.once('close', () => clearTimeout(timer))
  }
}

function statusLineOf({ code }: NodeJS.ErrnoException): string {
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return '408 Request Timeout'
  return code === 'HPE_HEADER_OVERFLOW' ? '431 Request Header Fields Too Large' : '400 Bad Request'
}
