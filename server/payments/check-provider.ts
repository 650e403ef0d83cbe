import type { CardCheck } from '#contract/system.ts'
import type { Context } from '#server/context.ts'
import { type Database, query } from '#server/database/database.ts'

type StoredCheck = { checkedAt: string; checks: CardCheck[] }

const storeCheck = query<never, [check: string]>(
  'card_check_store',
  `insert into installation (name, value) values ('card_check', $1::jsonb)
   on conflict (name) do update set value = excluded.value`,
)
const readCheck = query<{ value: StoredCheck }, []>(
  'card_check_read',
  `select value from installation where name = 'card_check'`,
)

/**
 * Checks the card processor's keys, mode and webhook endpoint at the provider, at the start and every hour, and stores
 * the result for the System screen. Returns the failed checks.
 */
export async function checkProvider({ database, cards }: Pick<Context, 'database' | 'cards'>) {
  const checks = await cards.check()
  await storeCheck(database, JSON.stringify({ checkedAt: new Date().toISOString(), checks }))
  return checks.filter(({ result }) => result === 'failed')
}

/** Returns the result of the last check, or undefined before the first. */
export async function lastCheck(database: Database): Promise<StoredCheck | undefined> {
  const [row] = await readCheck(database)
  return row?.value
}
