import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { OPERATOR_SETTINGS } from '#contract/operator-settings.ts'
import type { Database } from '#server/database/database.ts'
import { findUnmatchedPayments } from '#server/payments/find-unmatched.ts'
import { lossWarnings } from '#server/payments/loss-warnings.ts'
import { useDatabase } from '#tests/support/database.ts'
import { aBuyer, anAdmin, balanceOf, type TestUser } from '#tests/support/factories.ts'
import { changeSettings } from '#tests/support/settings.ts'
import type { Processor } from './processor.ts'
import { aSandbox } from './processors.ts'
import { aShop, purchasesOf, type Shop } from './shop.ts'

const [FIRST = { coins: 0, priceCents: 0 }] = OPERATOR_SETTINGS.packages.default.packages
const STARTING_COINS = 50

/** Sells these packages from now on. */
const sell = (database: Database, ...packages: { coins: number; priceCents: number }[]) =>
  changeSettings(database, 'packages', { packages })

describe('packages that the operator changes', () => {
  const db = useDatabase()
  let processor: Processor
  let shop: Shop
  const coins = (user: TestUser) => balanceOf(db.database, user)

  before(async () => {
    processor = aSandbox(db.database)
    shop = await aShop(db.database, processor)
  })
  after(async () => {
    await shop.close()
    await processor.close()
  })

  test('the first package is 150 coins for 10 dollars until it is changed', () => {
    assert.deepEqual(FIRST, { coins: 150, priceCents: 1000 })
  })

  test('a purchase that was begun completes at its price, and a new one has the new price', async () => {
    const buyer = await aBuyer(db.database)
    await sell(db.database, FIRST)
    const begun = await shop.startIntent(buyer, 10)
    await sell(db.database, { ...FIRST, coins: 100 })

    const next = await shop.startIntent(buyer, 10)
    assert.notEqual(next.id, begun.id)
    for (const { secret, id } of [begun, next]) {
      await processor.pay(secret, '4242424242424242')
      assert.equal((await shop.confirm(buyer, id)).body.status, 'credited')
    }
    assert.equal(await coins(buyer), STARTING_COINS + 150 + 100)
    assert.deepEqual(await purchasesOf(db.database, buyer), ['credited', 'credited'])
  })

  test('a price with cents is charged exactly, and a price that is no longer sold is refused', async () => {
    const buyer = await aBuyer(db.database)
    await sell(db.database, { coins: 270, priceCents: 1999 })
    assert.equal((await shop.begin(buyer, 10)).code, 'invalid_fields')
    const id = await shop.payPackage(buyer, 19.99)
    const claims = { coins: 270, price: 19.99 }
    assert.equal((await shop.confirm(buyer, id, claims)).body.status, 'credited')
    const { body } = await shop.ask(buyer, 'GET', `/payments/${id}`)
    assert.deepEqual([body.coins, body.price], [270, 19.99])
  })

  test('a buyer who saw other coins for the price is not charged', async () => {
    const buyer = await aBuyer(db.database)
    await sell(db.database, { ...FIRST, coins: 100 })
    const ask = (seen: number) =>
      shop.ask(buyer, 'POST', '/create-payment-intent', { price: 10, coins: seen })
    assert.equal((await ask(150)).code, 'invalid_fields')
    assert.deepEqual(await purchasesOf(db.database, buyer), [])
    assert.equal((await ask(100)).status, 200)
  })

  test('the same key returns the intent that was paid before its package was replaced', async () => {
    const buyer = await aBuyer(db.database)
    await sell(db.database, FIRST)
    const choose = async () =>
      (
        await shop.ask(
          buyer,
          'POST',
          '/create-payment-intent',
          { price: 10, coins: FIRST.coins, total: 10 },
          { 'idempotency-key': `lost-${buyer.id}` },
        )
      ).body.clientSecret
    const secret = await choose()
    await processor.pay(secret as string, '4242424242424242')
    await sell(db.database, { coins: 270, priceCents: 1999 })
    assert.equal(await choose(), secret)
    assert.deepEqual(await purchasesOf(db.database, buyer), ['open'])
  })

  test('a payment keeps its coins and its price, and is refunded by them', async () => {
    const buyer = await aBuyer(db.database)
    await sell(db.database, FIRST)
    const id = await shop.payPackage(buyer, 10)
    await shop.confirm(buyer, id)
    await sell(db.database, { coins: 1, priceCents: 1000 })
    await processor.refund(id)
    await shop.send(id, { type: 'charge.refunded' })
    await shop.waitForEvents()
    assert.equal(await coins(buyer), STARTING_COINS)
  })

  test('an unmatched payment is credited with what its amount bought when it was paid', async () => {
    const [admin, buyer] = [await anAdmin(db.database), await aBuyer(db.database)]
    await sell(db.database, FIRST)
    const id = await shop.payPackage(buyer, 10)
    await db.database.pool.query('delete from purchases where intent_id = $1', [id])
    await sell(db.database, { coins: 99, priceCents: 1000 })
    await findUnmatchedPayments(shop.context)
    const { body } = await shop.ask(admin, 'GET', '/unmatched-payments')
    const listed = (body as unknown as { _id: string; transactionId: string; coins: number }[]).find(
      ({ transactionId }) => transactionId === id,
    )
    assert.equal(listed?.coins, 150)
    const decision = { decision: 'credit', reason: 'Lost in a restore' }
    await shop.ask(admin, 'PATCH', `/unmatched-payments/${listed?._id}`, decision)
    assert.equal(await coins(buyer), STARTING_COINS + 150)
  })

  test('packages that pay out more than they bring in are warned of with amounts, and others are not', async () => {
    const { packages } = OPERATOR_SETTINGS.packages.default
    await sell(db.database, ...packages)
    assert.deepEqual(await lossWarnings(db.database), [
      'The package of 500 coins for $20.00 loses $5.88: it brings $19.12 after card fees and tax, and pays out $25.00. Prices are on Dashboard → Settings.',
      'The package of 1,000 coins for $35.00 loses $16.32: it brings $33.68 after card fees and tax, and pays out $50.00. Prices are on Dashboard → Settings.',
    ])
    await sell(db.database, ...(OPERATOR_SETTINGS.packages.recommended?.packages ?? []))
    assert.deepEqual(await lossWarnings(db.database), [])
  })

  test('packages that lose by the tax that their prices include are warned of', async () => {
    const seller = OPERATOR_SETTINGS.seller.default
    await sell(db.database, { coins: 1000, priceCents: 5500 })
    await changeSettings(db.database, 'seller', { taxName: 'VAT', taxPercent: 15 })
    assert.deepEqual(await lossWarnings(db.database), [
      'The package of 1,000 coins for $55.00 loses $4.07: it brings $45.93 after card fees and tax, and pays out $50.00. Prices are on Dashboard → Settings.',
    ])
    await changeSettings(db.database, 'seller', { taxAdded: true })
    assert.deepEqual(await lossWarnings(db.database), [])
    await changeSettings(db.database, 'seller', seller)
  })

  test('the site shows the packages, the rate and the tax that are in force', async () => {
    await sell(db.database, { coins: 270, priceCents: 1999 })
    await changeSettings(db.database, 'withdrawal_rate', { centsPerCoin: 3 })
    await changeSettings(db.database, 'seller', { taxName: 'VAT', taxPercent: 15, taxAdded: true })
    const another = await aShop(db.database, processor) // has cached nothing
    const { body } = await another.ask(null, 'GET', '/site')
    assert.deepEqual([body.packages, body.centsPerCoin], [[{ coins: 270, price: 19.99 }], 3])
    assert.deepEqual(body.addedTax, { name: 'VAT', percent: 15 })
    await another.close()
  })
})
