import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { negotiate } from '@fastify/accept-negotiator'
import type { FastifyRequest } from 'fastify'

/** In the order in which we prefer them. */
export const ENCODINGS = ['br', 'gzip'] as const
export type Encoding = (typeof ENCODINGS)[number]

/** Returns the encoding to send, of those available, or undefined where the client accepts none of them. */
export function acceptedEncoding(
  { headers }: FastifyRequest,
  available: readonly Encoding[] = ENCODINGS,
): Encoding | undefined {
  return negotiate(String(headers['accept-encoding'] ?? ''), available as Encoding[]) ?? undefined
}

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
