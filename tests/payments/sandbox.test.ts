import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { approveSubmission } from '#server/submissions/approve.ts'
import { useApi } from '#tests/support/api.ts'
import { useDatabase } from '#tests/support/database.ts'
import { eventually } from '#tests/support/eventually.ts'
import { aBuyer, anAdmin, aSubmission, aTask, aWorker, balanceOf } from '#tests/support/factories.ts'
import { paymentMatrix } from './matrix.ts'
import { aSandbox } from './processors.ts'
import { aShop, type Shop } from './shop.ts'

paymentMatrix('the sandbox', aSandbox)

describe('a dispute while coins are in escrow', () => {
  const api = useApi()

  test('withdrawal requests of the workers whom the disputed coins paid are flagged with the buyer', async () => {
    const [admin, buyer, worker] = [
      await anAdmin(api.database),
      await aBuyer(api.database),
      await aWorker(api.database),
    ]
    const { clientSecret } = (await api.as(buyer).post('/create-payment-intent', { price: 20 })).body
    const card = { number: '4242424242424242', expMonth: 12, expYear: 2099, cvc: '123' }
    const { transactionId } = (await api.anyone.post('/sandbox/confirm', { clientSecret, ...card })).body
    await api.as(buyer).post('/payment-success', { transactionId })
    const task = await aTask(api.database, buyer, { slots: 2, reward: 250 })
    await approveSubmission(api.database, await aSubmission(api.database, task, worker), buyer.id)
    const request = { withdrawalCoin: 200, payment_system: 'Other', accountNumber: 'Cash at the office' }
    await api.as(worker).post(`/withdraw/${worker.email}`, request)
    const origin = async () => (await api.as(admin).get('/withdraw')).body[0].origin
    assert.ok(!(await origin()).flags.includes('disputed_payment'))

    const dispute = (kind: string) => api.as(admin).post('/sandbox/reverse', { transactionId, kind })
    await dispute('dispute')
    await eventually(async () => (await origin()).flags.includes('disputed_payment'))
    const { disputedCents, refundedCents } = (await origin()).byBuyer[0]
    assert.deepEqual([disputedCents, refundedCents], [2000, 0])
    await dispute('dispute_won')
    await eventually(async () => !(await origin()).flags.includes('disputed_payment'))
  })

  test('an old payment that is disputed leaves the time to respond', async () => {
    const [admin, buyer] = [await anAdmin(api.database), await aBuyer(api.database)]
    const { clientSecret } = (await api.as(buyer).post('/create-payment-intent', { price: 20 })).body
    const card = { number: '4242424242424242', expMonth: 12, expYear: 2099, cvc: '123' }
    const { transactionId } = (await api.anyone.post('/sandbox/confirm', { clientSecret, ...card })).body
    await api.as(buyer).post('/payment-success', { transactionId })
    await api.owner.query(
      `update sandbox_intents set created_at = created_at - interval '60 days' where id = $1`,
      [transactionId],
    )
    await api.as(admin).post('/sandbox/reverse', { transactionId, kind: 'dispute' })
    const disputed = async () => {
      const { body } = await api.as(admin).get('/card-disputes')
      return body.find((one: { transactionId: string }) => one.transactionId === transactionId)
    }
    await eventually(disputed)
    assert.ok(Date.parse((await disputed()).respondBy) > Date.now())
  })
})

describe('the sandbox in the browser', () => {
  const db = useDatabase()
  let shop: Shop
  before(async () => {
    shop = await aShop(db.database, aSandbox(db.database))
  })
  after(() => shop.close())

  const confirm = async (clientSecret: string, number: string, card: object = {}) => {
    const good = { number, expMonth: 12, expYear: 2040, cvc: '123' }
    return shop.ask(null, 'POST', '/sandbox/confirm', { clientSecret, ...good, ...card })
  }
  const messageOf = (body: Record<string, unknown>) =>
    (body.error as { message: string } | null)?.message ?? null

  const cards: [number: string, status: string, message: string | null, card?: object][] = [
    ['4242 4242 4242 4242', 'succeeded', null],
    ['5555555555554444', 'succeeded', null],
    ['378282246310005', 'succeeded', null, { cvc: '1234' }],
    ['378282246310005', 'failed', "Your card's security code is incomplete."],
    ['4000000000000002', 'failed', 'Your card was declined.'],
    ['4000000000009995', 'failed', 'Your card has insufficient funds.'],
    ['4000000000009987', 'failed', 'Your card was declined.'],
    ['4000000000000069', 'failed', 'Your card has expired.'],
    ['4000000000000127', 'failed', "Your card's security code is incorrect."],
    [
      '4000000000000119',
      'failed',
      'An error occurred while processing your card. Try again in a little bit.',
    ],
    ['4242424242424241', 'failed', 'Your card number is invalid.'],
    ['4242', 'failed', 'Your card number is incomplete.'],
    ['4242424242424242', 'failed', "Your card's expiration year is in the past.", { expYear: 2020 }],
    ['4242424242424242', 'failed', "Your card's security code is incomplete.", { cvc: '12' }],
    ['4111111111111111', 'failed', 'Your card was declined. Use a test card here.'],
    ['4000002500003155', 'requires_action', null],
  ]
  for (const [number, status, message, card] of cards) {
    test(`card ${number}${card ? ` with ${JSON.stringify(card)}` : ''}: ${message ?? status}`, async () => {
      const { secret } = await shop.startIntent(await aBuyer(db.database))
      const { body } = await confirm(secret, number, card)
      assert.deepEqual([body.status, messageOf(body)], [status, message])
      await shop.waitForEvents()
    })
  }

  test('the reason why a card was not charged is in the language of the request', async () => {
    const { secret } = await shop.startIntent(await aBuyer(db.database))
    const inBangla = async (path: string, body: object) => {
      const { body: reply } = await shop.ask(
        null,
        'POST',
        `/sandbox/${path}`,
        { clientSecret: secret, ...body },
        { 'accept-language': 'bn' },
      )
      const { code, message } = (reply.error ?? {}) as { code?: string; message?: string }
      return [code, message]
    }
    const pay = (number: string, cvc = '123') =>
      inBangla('confirm', { number, expMonth: 12, expYear: 2040, cvc })
    assert.deepEqual(await pay('4242'), ['incomplete_number', 'আপনার কার্ড নম্বর অসম্পূর্ণ।'])
    assert.deepEqual(await pay('4000000000009995'), ['card_declined', 'আপনার কার্ডে পর্যাপ্ত টাকা নেই।'])
    assert.deepEqual(await pay('4000000000009987'), ['card_declined', 'আপনার কার্ড প্রত্যাখ্যাত হয়েছে।'])
    assert.deepEqual(await pay('4000002500003155'), [undefined, undefined])
    assert.deepEqual(await inBangla('authenticate', { agreed: false }), [
      'payment_intent_authentication_failure',
      'আপনার পেমেন্টের মাধ্যমটি যাচাই করা যায়নি। অন্য মাধ্যম বেছে নিয়ে আবার চেষ্টা করুন।',
    ])
    await shop.waitForEvents()
  })

  test('a paid card credits by webhook, without the client returning', async () => {
    const buyer = await aBuyer(db.database)
    const { secret } = await shop.startIntent(buyer, 1)
    await confirm(secret, '4242424242424242')
    await shop.waitForEvents()
    assert.equal(await balanceOf(db.database, buyer), 60)
    assert.equal((await confirm(secret, '4242424242424242')).code, 'state_conflict')
  })

  test('the disputing test card is credited, then reversed', async () => {
    const buyer = await aBuyer(db.database)
    const { secret, id } = await shop.startIntent(buyer, 1)
    await confirm(secret, '4000000000000259')
    await shop.waitForEvents()
    assert.equal(await balanceOf(db.database, buyer), 50)
    assert.equal((await shop.ask(buyer, 'GET', `/payments/${id}`)).body.status, 'Disputed')
  })

  test('a wrong client secret pays nothing, and only an Admin can refund', async () => {
    const buyer = await aBuyer(db.database)
    const { secret, id } = await shop.startIntent(buyer, 1)
    assert.equal((await confirm(`${secret}x`, '4242424242424242')).code, 'payment_not_found')
    await confirm(secret, '4242424242424242')
    await shop.waitForEvents()
    const refund = { transactionId: id, kind: 'refund' }
    assert.equal((await shop.ask(buyer, 'POST', '/sandbox/reverse', refund)).code, 'role_not_allowed')
    assert.equal((await shop.ask(await anAdmin(db.database), 'POST', '/sandbox/reverse', refund)).status, 200)
    await shop.waitForEvents()
    assert.equal(await balanceOf(db.database, buyer), 50)
  })

  test('refunds never exceed the payment', async () => {
    const buyer = await aBuyer(db.database)
    const admin = await anAdmin(db.database)
    const { secret, id } = await shop.startIntent(buyer, 10)
    await confirm(secret, '4242424242424242')
    const balances = []
    for (const amount of [4, 4, 4, 1]) {
      await shop.ask(admin, 'POST', '/sandbox/reverse', { transactionId: id, kind: 'refund', amount })
      await shop.waitForEvents()
      balances.push(await balanceOf(db.database, buyer))
    }
    assert.deepEqual(balances, [140, 80, 50, 50])
  })

  test('only the card’s brand and last digits are stored', async () => {
    const { secret } = await shop.startIntent(await aBuyer(db.database))
    await confirm(secret, '5555555555554444', { save: true })
    await shop.waitForEvents()
    const { rows } = await db.database.pool.query<{ text: string }>(
      `select sandbox_intents::text as text from sandbox_intents union all select sandbox_cards::text from sandbox_cards`,
    )
    assert.ok(rows.some(({ text }) => text.includes('pm_')))
    assert.ok(!rows.some(({ text }) => text.includes('5555555555554444')))
  })
})
