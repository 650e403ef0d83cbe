import type { CardHealth } from '#contract/system.ts'
import type { Context } from '#server/context.ts'
import { lastCheck } from './check-provider.ts'
import { recentFailures } from './failures.ts'

const RECENT_HOURS = 24

/** Returns the last check of the card processor and its recent failures. */
export async function readCardHealth({ database, cards }: Context): Promise<CardHealth> {
  const [check, failures] = await Promise.all([lastCheck(database), recentFailures(database, RECENT_HOURS)])
  return {
    provider: cards.mode === 'sandbox' ? 'sandbox' : 'stripe',
    mode: cards.mode,
    checkedAt: check?.checkedAt ?? null,
    checks: check?.checks ?? [],
    failures: failures.map(({ request_id: requestId, last_at: lastAt, ...failure }) => ({
      ...failure,
      requestId,
      lastAt,
    })),
  }
}
