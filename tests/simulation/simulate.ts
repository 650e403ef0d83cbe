import { OPERATOR_SETTINGS, type SettingName, type SettingValue } from '#contract/operator-settings.ts'
import type { Config } from '#server/config.ts'
import type { Database } from '#server/database/database.ts'
import { testConfig } from '#tests/support/factories.ts'
import { changeSettings } from '#tests/support/settings.ts'
import { type Cash, ClockedMarket, ownNumber, type Package, type Request } from './clocked-market.ts'
import { MARKETS, populate } from './honest.ts'
import { populateMixed } from './mixed-honest.ts'
import { CAREFUL_RINGS, MIXED_RINGS } from './mixed-rings.ts'
import type { MixedRing } from './ring-plan.ts'
import { RINGS } from './rings.ts'

/** `firstWaits`: the hours from each honest worker's first request, or first refusal, to their first payout. */
export type Outcome = { requests: Request[]; cash: Map<string, Cash>; firstWaits: number[] }

/**
 * Runs a market with one ring of each kind in an empty database. With `recommended` every operator's setting has its
 * recommended value from the beginning.
 */
export async function simulate(
  database: Database,
  market: string,
  seed: number,
  { recommended = false } = {},
): Promise<Outcome> {
  const config: Config = recommended ? { ...testConfig, taskFeePercent: 10 } : testConfig
  if (recommended) await recommend(database)
  const clocked = new ClockedMarket(database, config, seed)
  const { packages } = recommended ? recommendedValue('packages') : OPERATOR_SETTINGS.packages.default
  const offers = packages.map(({ coins, priceCents }) => ({ coins, cents: priceCents }))
  plan(clocked, market, offers)
  await clocked.run()
  return { requests: clocked.requests, cash: clocked.cash, firstWaits: [...clocked.firstWaits.values()] }
}

/** The rings of the markets with the mixed crowd, which was written apart from the others. */
const MIXED_MARKETS: Record<string, Record<string, MixedRing>> = {
  mixed: MIXED_RINGS,
  careful: CAREFUL_RINGS,
}

/** Plans the honest users and the rings of a market. */
function plan(clocked: ClockedMarket, market: string, offers: Package[]): void {
  const mixedRings = MIXED_MARKETS[market]
  if (mixedRings !== undefined) {
    const mixed = populateMixed(
      clocked,
      offers.toSorted((one, other) => one.coins - other.coins),
    )
    const sharedAccount = ownNumber(clocked)
    for (const [name, ring] of Object.entries(mixedRings)) ring(clocked, mixed, name, sharedAccount)
    return
  }
  const settings = MARKETS[market]
  const [largest] = offers.toSorted((one, other) => other.coins - one.coins)
  if (settings === undefined || largest === undefined) throw new Error(`There is no market ${market}`)
  const crowd = populate(clocked, settings, (of) => of.pick(offers))
  const world = { crowd, largest, sharedAccount: ownNumber(clocked) }
  for (const [name, ring] of Object.entries(RINGS)) ring(clocked, world, name)
}

/** Returns the recommended value of a setting, or its default where none is recommended. */
export function recommendedValue<Name extends SettingName>(name: Name): SettingValue<Name> {
  const { recommended, ...setting } = OPERATOR_SETTINGS[name]
  return (recommended ?? setting.default) as SettingValue<Name>
}

async function recommend(database: Database): Promise<void> {
  // The simulated market has one Admin.
  for (const name of Object.keys(OPERATOR_SETTINGS) as SettingName[])
    if (name !== 'payout_rules') await changeSettings(database, name, recommendedValue(name))
}
