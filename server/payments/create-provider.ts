import { BadConfig } from '#server/bad-config.ts'
import type { Config } from '#server/config.ts'
import { type Database, query, queryOne } from '#server/database/database.ts'
import { createFailureEvents, storeFailures } from './failures.ts'
import type { CardMode, CardProvider } from './provider.ts'
import { createSandboxProvider } from './sandbox/processor.ts'

const claimMode = query<never, [mode: CardMode]>(
  'card_mode_claim',
  `insert into installation (name, value) values ('card_mode', to_jsonb($1::text))
   on conflict (name) do update set value = excluded.value where not exists (select from purchases)`,
)
const readMode = queryOne<{ mode: CardMode }, []>(
  'card_mode_of_installation',
  `select value #>> '{}' as mode from installation where name = 'card_mode'`,
)

/**
 * Creates the card processor that the settings name. The database stores its mode: after the first purchase, a start in
 * another mode is refused, so that sandbox, test and live payments never mix.
 */
export async function createProvider(database: Database, { card, publicUrl }: Config): Promise<CardProvider> {
  await claimMode(database, card.mode)
  const { mode } = await readMode(database)
  if (mode !== card.mode) {
    throw new BadConfig(
      `CARD_PROVIDER: this database contains payments of the mode "${mode}", but the configured mode is "${card.mode}". Use a separate database for each mode.`,
    )
  }
  if (card.provider !== 'stripe') return createSandboxProvider(database, card)
  const { createStripeProvider } = await import('./stripe.ts')
  const failures = createFailureEvents()
  storeFailures(database, failures)
  return createStripeProvider(card, failures, `${publicUrl}/api/webhooks/card`)
}
