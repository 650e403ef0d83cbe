import type { FastifyRequest } from 'fastify'
import { type Locale, preferredLocale } from '#contract/locales.ts'

/** Returns the language of a request's error messages (docs/specification/api.md#errors). */
export function requestLocale({ headers }: FastifyRequest): Locale {
  return preferredLocale(headers['accept-language'])
}
