import { after, before } from 'node:test'
import { useDatabase } from '#tests/support/database.ts'
import { aStripe } from './processors.ts'
import { aShop, type Shop } from './shop.ts'

/**
 * A shop that is paid through the fake Stripe, over a database of this describe block's own. Call it inside
 * `describe`; use it inside tests.
 */
export function useStripeShop() {
  const db = useDatabase()
  let opened: { processor: Awaited<ReturnType<typeof aStripe>>; shop: Shop } | undefined

  before(async () => {
    const processor = await aStripe()
    opened = { processor, shop: await aShop(db.database, processor) }
  })
  after(async () => {
    await opened?.shop.close()
    await opened?.processor.close()
  })
  function open() {
    if (opened === undefined) throw new Error('The shop is open inside tests only')
    return opened
  }

  return {
    get database() {
      return db.database
    },
    get shop() {
      return open().shop
    },
    get processor() {
      return open().processor
    },
    get fake() {
      return open().processor.fake
    },
  }
}
