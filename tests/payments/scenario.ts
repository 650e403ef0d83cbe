import type { Database } from '#server/database/database.ts'
import { balanceOf, type TestUser } from '#tests/support/factories.ts'
import type { Processor } from './processor.ts'
import type { Shop } from './shop.ts'

export type Context = { database: Database; processor: Processor; shop: Shop; buyer: TestUser }

/** Scenarios for every card processor, by what they show. Each has a new buyer. */
export type Scenarios = Record<string, (context: Context) => Promise<void>>

/** A Buyer starts with 50 coins; the package for 10 dollars has 150. */
export const START = 50
export const GOOD = '4242424242424242'

/** Returns a function that reads the balance of a user, by default the buyer's. */
export function coinsOf({ database, buyer }: Context) {
  return (user = buyer) => balanceOf(database, user)
}
