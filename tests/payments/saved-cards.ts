import assert from 'node:assert/strict'
import type { SavedCard } from '#contract/saved-cards.ts'
import type { Database } from '#server/database/database.ts'
import { deleteCustomers } from '#server/payments/customers.ts'
import { deleteUser } from '#server/users/delete.ts'
import { aBuyer, anAdmin, balanceOf, type TestUser } from '#tests/support/factories.ts'
import type { Processor } from './processor.ts'
import type { Shop } from './shop.ts'

type Context = { database: Database; processor: Processor; shop: Shop; buyer: TestUser }

const GOOD = '4242424242424242'
const DECLINED = '4000000000000002'
const CHALLENGED = '4000002500003155'

/** Scenarios of saved cards, for every card processor (docs/payments.md#saved-cards). */
export const SAVED_CARDS: Record<string, (context: Context) => Promise<void>> = {
  async 'a card is saved only when the buyer chooses so and the payment succeeds'(context) {
    const { shop, processor, buyer } = context
    assert.deepEqual(await cardsOf(shop, buyer), [])
    await shop.confirm(buyer, await shop.payPackage(buyer))
    assert.deepEqual(await cardsOf(shop, buyer), [])
    const { secret, id } = await shop.startIntent(buyer)
    await processor.pay(secret, DECLINED, true)
    assert.deepEqual(await cardsOf(shop, buyer), [])
    await processor.pay(secret, GOOD, true)
    await shop.confirm(buyer, id)
    const [card, ...others] = await cardsOf(shop, buyer)
    const { _id, ...shown } = card ?? {}
    assert.match(_id ?? '', /^pm_/)
    assert.deepEqual(shown, { brand: 'visa', last4: '4242', expMonth: 12, expYear: 2040 })
    assert.deepEqual(others, [])
  },

  async 'a card that needs 3-D Secure is saved once it has passed'(context) {
    const { shop, processor, buyer } = context
    const { secret } = await shop.startIntent(buyer)
    await processor.pay(secret, CHALLENGED, true)
    assert.deepEqual(await cardsOf(shop, buyer), [])
    await processor.authenticate(secret, false)
    assert.deepEqual(await cardsOf(shop, buyer), [])
    await processor.pay(secret, CHALLENGED, true)
    await processor.authenticate(secret, true)
    assert.equal((await cardsOf(shop, buyer)).length, 1)
  },

  async 'the next purchase is paid with the saved card, and credited once'(context) {
    const { database, shop, processor, buyer } = context
    const card = await aSavedCard(context)
    const before = await balanceOf(database, buyer)
    const { secret, id } = await shop.startIntent(buyer)
    assert.equal((await processor.paySaved(secret, card._id)).status, 'succeeded')
    assert.equal((await shop.confirm(buyer, id)).body.status, 'credited')
    await shop.confirm(buyer, id)
    assert.equal(await balanceOf(database, buyer), before + 150)
    assert.deepEqual((await shop.ask(buyer, 'GET', `/payments/${id}`)).body.card, {
      brand: 'visa',
      last4: '4242',
    })
  },

  async 'a removed card can no longer be used, and is removed once'(context) {
    const { shop, processor, buyer } = context
    const card = await aSavedCard(context)
    assert.equal((await remove(shop, buyer, card._id)).status, 204)
    assert.deepEqual(await cardsOf(shop, buyer), [])
    assert.equal((await remove(shop, buyer, card._id)).code, 'not_found')
    const { secret } = await shop.startIntent(buyer)
    assert.equal((await processor.paySaved(secret, card._id)).status, 'failed')
  },

  async "another user's saved card is neither listed, nor used, nor removed"(context) {
    const { database, shop, processor, buyer } = context
    const card = await aSavedCard(context)
    const other = await aBuyer(database)
    assert.equal((await remove(shop, other, card._id)).code, 'not_found')
    const { secret, id } = await shop.startIntent(other)
    assert.deepEqual(await cardsOf(shop, other), [])
    assert.equal((await remove(shop, other, card._id)).code, 'not_found')
    assert.equal((await remove(shop, await anAdmin(database), card._id)).code, 'not_found')
    assert.equal((await remove(shop, null, card._id)).status, 401)
    assert.equal((await processor.paySaved(secret, card._id)).status, 'failed')
    assert.equal((await shop.confirm(other, id)).code, 'payment_not_succeeded')
    assert.deepEqual(await cardsOf(shop, buyer), [card])
  },

  async 'deleting a user removes their cards at the processor, also after an outage, and nobody else’s'(
    context,
  ) {
    const { database, processor, shop, buyer } = context
    const other = await aBuyer(database)
    const card = await aSavedCard(context)
    const kept = await aSavedCard({ ...context, buyer: other })
    const { secret } = await shop.startIntent(buyer)
    const customer = await customerOf(database, buyer)
    await deleteUser(database, buyer.id, (await anAdmin(database)).id)
    processor.outage(true)
    await assert.rejects(deleteCustomers(shop.context))
    processor.outage(false)
    assert.equal((await shop.context.cards.listCards(customer)).length, 1)
    await deleteCustomers(shop.context)
    assert.deepEqual(await shop.context.cards.listCards(customer).catch(() => []), [])
    assert.equal((await processor.paySaved(secret, card._id)).status, 'failed')
    await processor.pay(secret, GOOD, true)
    assert.deepEqual(await shop.context.cards.listCards(customer).catch(() => []), [])
    assert.deepEqual(await cardsOf(shop, other), [kept])
  },

  async 'a customer that was deleted at the processor is replaced by the next purchase, without the cards'(
    context,
  ) {
    const { database, processor, shop, buyer } = context
    await aSavedCard(context)
    const deleted = await customerOf(database, buyer)
    await processor.deleteCustomer(deleted)
    assert.deepEqual(await cardsOf(shop, buyer), [])
    const made = await processor.countIntents()
    const [first, again] = await Promise.all([shop.startIntent(buyer), shop.startIntent(buyer)])
    assert.equal(first.id, again.id)
    assert.equal((await processor.countIntents()) - made, 1)
    const replaced = await customerOf(database, buyer)
    assert.notEqual(replaced, deleted)
    assert.equal((await shop.context.cards.retrieve(first.id)).customerId, replaced)
    assert.equal((await processor.pay(first.secret, GOOD, true)).status, 'succeeded')
    assert.equal((await shop.confirm(buyer, first.id)).status, 200)
    assert.equal((await cardsOf(shop, buyer)).length, 1)
    await processor.deleteCustomer(replaced)
    await shop.startIntent(buyer)
    assert.notEqual(await customerOf(database, buyer), replaced)
  },

  async 'while the processor is down, removing fails and the card stays'(context) {
    const { processor, shop, buyer } = context
    const card = await aSavedCard(context)
    processor.outage(true)
    const removed = await remove(shop, buyer, card._id)
    const listed = await shop.ask(buyer, 'GET', '/saved-cards')
    processor.outage(false)
    assert.deepEqual([removed.code, listed.code], ['payments_unavailable', 'payments_unavailable'])
    assert.deepEqual(await cardsOf(shop, buyer), [card])
  },
}

async function cardsOf(shop: Shop, user: TestUser): Promise<SavedCard[]> {
  const { status, body } = await shop.ask(user, 'GET', '/saved-cards')
  assert.equal(status, 200)
  return body as unknown as SavedCard[]
}

const remove = (shop: Shop, user: TestUser | null, id: string) =>
  shop.ask(user, 'DELETE', `/saved-cards/${id}`)

/** Buys a package with a card that the buyer saves. */
async function aSavedCard({ shop, processor, buyer }: Context): Promise<SavedCard> {
  const { secret, id } = await shop.startIntent(buyer)
  assert.equal((await processor.pay(secret, GOOD, true)).status, 'succeeded')
  await shop.confirm(buyer, id)
  const [card] = await cardsOf(shop, buyer)
  assert.ok(card)
  return card
}

async function customerOf(database: Database, user: TestUser): Promise<string> {
  const { rows } = await database.pool.query<{ customer_id: string }>(
    'select customer_id from card_customers where user_id = $1',
    [user.id],
  )
  return rows[0]?.customer_id ?? ''
}
