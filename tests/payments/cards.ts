import assert from 'node:assert/strict'
import { coinsOf, GOOD, type Scenarios, START } from './scenario.ts'

const DECLINED = '4000000000000002'
const NO_FUNDS = '4000000000009995'
const CHALLENGED = '4000002500003155'
const CHALLENGED_NO_FUNDS = '4000008260003178'

/** Scenarios of cards that are declined or challenged, for every card processor. */
export const CARDS: Scenarios = {
  async 'declined cards cost nothing, and another card pays the same intent'(context) {
    const { processor, shop, buyer } = context
    const coins = coinsOf(context)
    const { id, secret } = await shop.startIntent(buyer)
    assert.deepEqual(await processor.pay(secret, DECLINED), {
      status: 'failed',
      message: 'Your card was declined.',
    })
    assert.deepEqual(await processor.pay(secret, NO_FUNDS), {
      status: 'failed',
      message: 'Your card has insufficient funds.',
    })
    assert.equal((await shop.confirm(buyer, id)).code, 'payment_not_succeeded')
    assert.equal((await shop.startIntent(buyer)).id, id)
    assert.equal((await processor.pay(secret, GOOD)).status, 'succeeded')
    assert.equal((await shop.confirm(buyer, id)).status, 200)
    assert.equal(await coins(), START + 150)
  },

  async '3-D Secure: credited when passed, not when failed, not when the bank then declines'(context) {
    const { processor, shop, buyer } = context
    const coins = coinsOf(context)
    const { id, secret } = await shop.startIntent(buyer)
    assert.equal((await processor.pay(secret, CHALLENGED)).status, 'requires_action')
    assert.equal((await shop.confirm(buyer, id)).code, 'payment_not_succeeded')
    assert.match((await processor.authenticate(secret, false)).message ?? '', /unable to authenticate/)
    assert.equal((await processor.pay(secret, CHALLENGED_NO_FUNDS)).status, 'requires_action')
    assert.equal((await processor.authenticate(secret, true)).message, 'Your card has insufficient funds.')
    assert.equal((await shop.confirm(buyer, id)).code, 'payment_not_succeeded')
    assert.equal((await processor.pay(secret, CHALLENGED)).status, 'requires_action')
    assert.equal((await processor.authenticate(secret, true)).status, 'succeeded')
    assert.equal((await shop.confirm(buyer, id)).status, 200)
    assert.equal(await coins(), START + 150)
  },
}
