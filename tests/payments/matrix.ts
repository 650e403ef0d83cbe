import { after, before, describe, test } from 'node:test'
import type { Database } from '#server/database/database.ts'
import { useDatabase } from '#tests/support/database.ts'
import { aBuyer } from '#tests/support/factories.ts'
import { CARD_LIMITS } from './card-limits.ts'
import { CARDS } from './cards.ts'
import { CONTAINMENT } from './containment.ts'
import { CREDITS } from './credits.ts'
import { DELETED_BUYERS } from './deleted-buyers.ts'
import { DISPUTE_FILES } from './dispute-files.ts'
import { DISPUTES } from './disputes.ts'
import { DRILLS } from './drills.ts'
import { EVENTS } from './events.ts'
import { INTENTS } from './intents.ts'
import { OUTAGES } from './outages.ts'
import type { Processor } from './processor.ts'
import { REFUNDS } from './refunds.ts'
import { REVERSALS } from './reversals.ts'
import { SAVED_CARDS } from './saved-cards.ts'
import type { Scenarios } from './scenario.ts'
import { aShop, type Shop } from './shop.ts'
import { TAX } from './tax.ts'
import { UNMATCHED } from './unmatched.ts'

const SCENARIOS: Scenarios = {
  ...INTENTS,
  ...CREDITS,
  ...EVENTS,
  ...CARDS,
  ...REVERSALS,
  ...OUTAGES,
  ...DELETED_BUYERS,
  ...UNMATCHED,
  ...CONTAINMENT,
  ...REFUNDS,
  ...DISPUTES,
  ...DISPUTE_FILES,
  ...CARD_LIMITS,
  ...SAVED_CARDS,
  ...TAX,
  ...DRILLS,
}

/** The same scenarios for every card processor. */
export function paymentMatrix(
  name: string,
  open: (database: Database) => Processor | Promise<Processor>,
): void {
  describe(`buying coins by card with ${name}`, () => {
    const db = useDatabase()
    let processor: Processor
    let shop: Shop

    before(async () => {
      processor = await open(db.database)
      shop = await aShop(db.database, processor)
    })
    after(async () => {
      await shop.close()
      await processor.close()
    })

    for (const [title, scenario] of Object.entries(SCENARIOS)) {
      test(title, async () => {
        const { database } = db
        await scenario({ database, processor, shop, buyer: await aBuyer(database) })
      })
    }
  })
}
