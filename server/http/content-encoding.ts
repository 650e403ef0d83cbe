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
