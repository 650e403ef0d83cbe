import type { Socket } from 'node:net'
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { STATUS_OF } from '#contract/errors.ts'
import { asRefusal, errorReply } from './errors.ts'
import { COMMON_HEADERS } from './headers.ts'
import { Refusal } from './refusal.ts'

/** Replies to a request that the router cannot read, such as a broken escape in the URL, with an error body. */
export function replyToFrameworkError(
  error: FastifyError,
  _request: FastifyRequest,
  reply: FastifyReply,
): void {
  const refusal = asRefusal(error)
  void reply.status(STATUS_OF[refusal.code]).headers(COMMON_HEADERS).send(errorReply(refusal))
}

const MALFORMED = JSON.stringify(errorReply(new Refusal('invalid_request')))

/** After an error, the client has this time to read the reply and to close. */
const LINGER_MS = 1_000

/** Replies to bytes that are not HTTP, or that arrive too slowly, and destroys the connection. */
export function replyToClientError(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy(error)
    return
  }
  const status =
    error.code === 'ERR_HTTP_REQUEST_TIMEOUT'
      ? '408 Request Timeout'
      : error.code === 'HPE_HEADER_OVERFLOW'
        ? '431 Request Header Fields Too Large'
        : '400 Bad Request'
  socket.end(
    `HTTP/1.1 ${status}\r\ncontent-type: application/json; charset=utf-8\r\ncontent-length: ${Buffer.byteLength(MALFORMED)}\r\nconnection: close\r\n\r\n${MALFORMED}`,
  )
  // A half-closed connection would stay for as long as the client keeps its own half open.
  const timer = setTimeout(() => socket.destroy(), LINGER_MS)
  socket.once('close', () => clearTimeout(timer))
}
