import type { Database } from '#server/database/database.ts'
import { consumeRateLimit, throwRateLimited } from '#server/http/rate-limit.ts'

/** Requests to the card processor per user and hour. The processor's own limit applies to all buyers together. */
const HOURLY_LIMITS = { begin: 60, confirm: 300, cards: 300 }

/** Limits the requests to the card processor that a user causes. @throws Refusal `too_many_requests`. */
export async function limitIntents(
  database: Database,
  userId: string,
  action: keyof typeof HOURLY_LIMITS,
): Promise<void> {
  const limit = { key: `card-${action}:${userId}`, max: HOURLY_LIMITS[action], seconds: 3600 }
  const [exceeded] = await consumeRateLimit(database, [limit])
  if (exceeded) throwRateLimited(exceeded.resetsAt)
}
