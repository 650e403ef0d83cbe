import type { Database } from '#server/database/database.ts'
import { consumeRateLimit, throwRateLimited } from '#server/http/rate-limit.ts'

/** Every call of these makes us ask the card processor, whose patience is all our buyers' together. */
const AN_HOUR = { begin: 60, confirm: 300 }

/** Counts what a person has us ask the card processor. @throws Refusal `too_many_requests`. */
export async function limitIntents(
  database: Database,
  userId: string,
  what: keyof typeof AN_HOUR,
): Promise<void> {
  const limit = { key: `card-${what}:${userId}`, max: AN_HOUR[what], seconds: 3600 }
  const [exceeded] = await consumeRateLimit(database, [limit])
  if (exceeded) throwRateLimited(exceeded.resetsAt)
}
