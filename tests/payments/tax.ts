import assert from 'node:assert/strict'
import type { ReceiptDocument } from '#contract/receipts.ts'
import type { Database } from '#server/database/database.ts'
import { findUnmatchedPayments } from '#server/payments/find-unmatched.ts'
import { anAdmin, balanceOf, type TestUser } from '#tests/support/factories.ts'
import { changeSettings } from '#tests/support/settings.ts'
import type { Processor } from './processor.ts'
import { debtOf, purchasesOf, type Shop } from './shop.ts'

type Context = { database: Database; processor: Processor; shop: Shop; buyer: TestUser }

/** A Buyer starts with 50 coins; the package for 10 dollars has 150. */
const START = 50

/** Scenarios of a tax that is added to the prices, for every card processor (docs/specification/receipts.md#seller-and-tax). */
export const TAX: Record<string, (context: Context) => Promise<void>> = {
  'an added tax is charged, and on the receipt, and a refund returns it in proportion': taxed(
    15,
    async ({ database, processor, shop, buyer }) => {
      const begin = (total: number) =>
        shop.ask(buyer, 'POST', '/create-payment-intent', { price: 10, coins: 150, total })
      for (const total of [10, 11.49, 11.51]) assert.equal((await begin(total)).code, 'invalid_fields')
      assert.deepEqual(await purchasesOf(database, buyer), [], 'nobody pays what they did not see')
      const secret = (await begin(11.5)).body.clientSecret as string
      const id = secret.split('_secret_')[0] ?? ''
      assert.equal((await shop.context.cards.retrieve(id)).amountCents, 1150)
      assert.equal((await processor.pay(secret, '4242424242424242')).status, 'succeeded')
      assert.equal((await shop.confirm(buyer, id, { price: 11.5, coins: 150 })).code, 'payment_mismatch')
      assert.equal((await shop.confirm(buyer, id, { price: 10, coins: 150 })).body.coin, START + 150)

      const payment = (await shop.ask(buyer, 'GET', `/payments/${id}`)).body
      assert.equal(payment.price, 11.5)
      const receipt = await receiptOf(shop, buyer, payment._id as string)
      assert.deepEqual(
        [receipt.total, receipt.taxAmount, receipt.tax, receipt.lines[0]?.amount],
        [11.5, 1.5, { name: 'VAT', percent: 15, amount: 1.5, added: true }, 10],
      )
      await refund(processor, shop, id, 575)
      assert.equal(await balanceOf(database, buyer), START + 75)
      await refund(processor, shop, id, 1150)
      assert.deepEqual([await balanceOf(database, buyer), await debtOf(database, buyer)], [START, 0])
      const { related } = await receiptOf(shop, buyer, payment._id as string)
      assert.deepEqual(
        related.map(({ kind, total, taxAmount }) => [kind, total, taxAmount]),
        [
          ['refund', 5.75, 0.75],
          ['refund', 5.75, 0.75],
        ],
      )
    },
  ),

  'an added tax is in whole cents, and the operator owes it': taxed(
    7.7,
    async ({ database, shop, buyer }) => {
      const admin = await anAdmin(database)
      const books = async () => {
        const { body } = await shop.ask(admin, 'GET', '/admin-stats')
        const { receivedCents, taxCents, coverCents } = body.solvency as Record<string, number>
        const { totals } = (await shop.ask(admin, 'GET', '/card-reconciliation')).body
        const tax = Math.round((totals as { tax: number }).tax * 100)
        return [receivedCents ?? 0, taxCents ?? 0, coverCents ?? 0, tax] as const
      }
      const before = await books()
      let cents = 0
      for (const [price, charged] of [
        [1, 108],
        [10, 1077],
        [35, 3770],
      ] as const) {
        const { secret, id } = await shop.startIntent(buyer, price)
        assert.equal((await shop.context.cards.retrieve(id)).amountCents, charged)
        assert.ok(secret)
        cents = charged - price * 100
      }
      assert.equal(cents, 270, '269.5 cents are rounded up')
      await shop.confirm(buyer, await shop.payPackage(buyer, 10))
      const after = await books()
      assert.deepEqual(
        after.map((value, index) => value - (before[index] ?? 0)),
        [1077, 77, 1077 - 77 - 150 * 5, 77],
      )
      await changeSettings(database, 'seller', { taxPercent: 0.4 })
      const { id } = await shop.startIntent(buyer, 1)
      const intent = await shop.context.cards.retrieve(id)
      assert.deepEqual([intent.amountCents, intent.tax], [100, null], 'less than half a cent is no tax')
    },
  ),

  'a purchase that was begun completes at its tax, and one of the same total is another': taxed(
    10,
    async ({ database, processor, shop, buyer }) => {
      const begun = await shop.startIntent(buyer)
      await changeSettings(database, 'seller', { taxPercent: 20 })
      const next = await shop.startIntent(buyer)
      assert.notEqual(next.id, begun.id)
      await changeSettings(database, 'seller', { taxAdded: false })
      const included = await shop.startIntent(buyer)
      for (const [{ secret, id }, tax, total] of [
        [begun, 1, 11],
        [next, 2, 12],
        [included, 1.67, 10],
      ] as const) {
        await processor.pay(secret, '4242424242424242')
        assert.equal((await shop.confirm(buyer, id, { price: 10 })).status, 200)
        const payment = (await shop.ask(buyer, 'GET', `/payments/${id}`)).body
        const receipt = await receiptOf(shop, buyer, payment._id as string)
        assert.deepEqual([receipt.taxAmount, receipt.total], [tax, total])
      }
      assert.equal(await balanceOf(database, buyer), START + 450)
    },
  ),

  'an unmatched payment with an added tax is credited with its package, and keeps its tax': taxed(
    15,
    async ({ database, processor, shop, buyer }) => {
      const admin = await anAdmin(database)
      const id = await shop.payPackage(buyer)
      await database.pool.query('delete from purchases where intent_id = $1', [id])
      await changeSettings(database, 'seller', { taxPercent: 0, taxAdded: false })
      await findUnmatchedPayments(shop.context)
      const { body } = await shop.ask(admin, 'GET', '/unmatched-payments')
      const [found] = (body as unknown as { _id: string; transactionId: string; coins: number }[]).filter(
        ({ transactionId }) => transactionId === id,
      )
      assert.equal(found?.coins, 150)
      const decision = { decision: 'credit', reason: 'Paid before the restore' }
      assert.equal((await shop.ask(admin, 'PATCH', `/unmatched-payments/${found._id}`, decision)).status, 200)
      assert.equal(await balanceOf(database, buyer), START + 150)
      const payment = (await shop.ask(buyer, 'GET', `/payments/${id}`)).body
      const receipt = await receiptOf(shop, buyer, payment._id as string)
      assert.deepEqual(receipt.tax, { name: 'VAT', percent: 15, amount: 1.5, added: true })
      await refund(processor, shop, id, 1150)
      assert.equal(await balanceOf(database, buyer), START)
    },
  ),

  'a payment without its added tax credits nothing': taxed(
    15,
    async ({ database, processor, shop, buyer }) => {
      await anAdmin(database)
      const id = await shop.payPackage(buyer)
      await processor.change(id, { amountCents: 1000 })
      assert.equal((await shop.confirm(buyer, id)).code, 'payment_mismatch')
      assert.equal(await balanceOf(database, buyer), START)
    },
  ),
}

/** Runs a scenario while a tax of this rate is added to the prices. */
function taxed(taxPercent: number, scenario: (context: Context) => Promise<void>) {
  return async (context: Context) => {
    await changeSettings(context.database, 'seller', { taxName: 'VAT', taxPercent, taxAdded: true })
    try {
      await scenario(context)
    } finally {
      await changeSettings(context.database, 'seller', { taxName: '', taxPercent: 0, taxAdded: false })
    }
  }
}

async function receiptOf(shop: Shop, user: TestUser, id: string): Promise<ReceiptDocument> {
  return (await shop.ask(user, 'GET', `/receipts/${id}`)).body as unknown as ReceiptDocument
}

async function refund(processor: Processor, shop: Shop, id: string, cents: number): Promise<void> {
  await processor.refund(id, cents)
  await shop.send(id, { type: 'charge.refunded' })
  await shop.waitForEvents()
}
