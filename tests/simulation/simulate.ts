import { OPERATOR_SETTINGS, type SettingName, type SettingValue } from '#contract/operator-settings.ts'
import type { Config } from '#server/config.ts'
import type { Database } from '#server/database/database.ts'
import { testConfig } from '#tests/support/factories.ts'
import { changeSettings } from '#tests/support/settings.ts'
import { type Cash, ClockedMarket, ownNumber, type Request } from './clocked-market.ts'
import { populate, type Town } from './honest.ts'
import { RINGS } from './rings.ts'

/** `firstWaits`: the hours from each honest worker's first request, or first refusal, to their first payout. */
export type Outcome = { requests: Request[]; cash: Map<string, Cash>; firstWaits: number[] }

/**
 * Runs one market with one ring of each kind in an empty database. With `recommended` every operator's setting has its
 * recommended value from the beginning.
 */
export async function simulate(
  database: Database,
  town: Town,
  seed: number,
  { recommended = false, rings = Object.keys(RINGS) } = {},
): Promise<Outcome> {
  const config: Config = recommended ? { ...testConfig, taskFeePercent: 10 } : testConfig
  if (recommended) await recommend(database)
  const market = new ClockedMarket(database, config, seed)
  const packages = recommended
    ? recommendedValue('packages').packages
    : OPERATOR_SETTINGS.packages.default.packages
  const offers = packages.map(({ coins, priceCents }) => ({ coins, cents: priceCents }))
  const [largest] = offers.toSorted((one, other) => other.coins - one.coins)
  if (largest === undefined) throw new Error('There is a package')
  const crowd = populate(market, town, (of) => of.pick(offers))
  const world = { crowd, largest, sharedAccount: ownNumber(market) }
  for (const name of rings) RINGS[name]?.(market, world, name)
  await market.run()
  return { requests: market.requests, cash: market.cash, firstWaits: [...market.firstWaits.values()] }
}

/** Returns the recommended value of a setting, or its default where none is recommended. */
export function recommendedValue<Name extends SettingName>(name: Name): SettingValue<Name> {
  const { recommended, ...setting } = OPERATOR_SETTINGS[name]
  return (recommended?.value ?? setting.default) as SettingValue<Name>
}

async function recommend(database: Database): Promise<void> {
  // The simulated market has one Admin.
  for (const name of Object.keys(OPERATOR_SETTINGS) as SettingName[])
    if (name !== 'payout_rules') await changeSettings(database, name, recommendedValue(name))
}
