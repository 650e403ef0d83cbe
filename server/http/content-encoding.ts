import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { negotiate } from '@fastify/accept-negotiator'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { isFetched } from './headers.ts'

/** In the order in which we prefer them. */
export const ENCODINGS = ['br', 'gzip'] as const
export type Encoding = (typeof ENCODINGS)[number]

/** Returns the encoding to send, or undefined where the client accepts none of ours. */
export function acceptedEncoding({ headers }: FastifyRequest): Encoding | undefined {
  return negotiate(String(headers['accept-encoding'] ?? ''), [...ENCODINGS]) ?? undefined
}

/** A shorter body is not compressed for a single request: it would hardly become smaller. */
export const MIN_COMPRESSED_BYTES = 500
/** No more replies are compressed at once: among many requests, the processor has more to do. */
const MAX_COMPRESSING = 4

const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }
const brotliAsync = promisify(brotliCompress)
const gzipAsync = promisify(gzip)

/** Compresses bytes quickly, in well under the time that a list takes to read. */
export function compress(bytes: Buffer, encoding: Encoding): Promise<Buffer> {
  return encoding === 'br' ? brotliAsync(bytes, BROTLI) : gzipAsync(bytes)
}

/** Compresses bytes that are sent many times as well as possible, which takes seconds for a megabyte. */
export function compressBest(bytes: Buffer, encoding: Encoding): Promise<Buffer> {
  return encoding === 'br' ? brotliAsync(bytes) : gzipAsync(bytes, { level: 9 })
}

/**
 * Compresses long replies to scripts of pages. Only these: their requests carry an ID token that no other site can make a browser
 * send, so that nobody can learn from the length of a reply what else it contains.
 */
export function compressReplies(app: FastifyInstance): void {
  let compressing = 0
  app.addHook('onSend', (request, reply, payload, done) => {
    const isLong = typeof payload === 'string' && payload.length >= MIN_COMPRESSED_BYTES
    const isWorthwhile = isLong && compressing < MAX_COMPRESSING && !reply.hasHeader('content-encoding')
    const encoding = isWorthwhile && isFetched(request) ? acceptedEncoding(request) : undefined
    if (encoding === undefined) return done(null, payload)
    compressing++
    compress(Buffer.from(payload as string), encoding)
      .finally(() => compressing--)
      .then(
        (bytes) => {
          reply.header('content-encoding', encoding)
          done(null, bytes)
        },
        (error: Error) => done(error),
      )
  })
}
