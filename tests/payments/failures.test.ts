import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { buildApp } from '#server/app.ts'
import { checkProvider } from '#server/payments/check-provider.ts'
import type { Failure } from '#server/payments/failures.ts'
import { eventually } from '#tests/support/eventually.ts'
import { aBuyer, anAdmin, balanceOf } from '#tests/support/factories.ts'
import { useStripeShop } from './stripe-shop.ts'

type Wrong = (value: Record<string, unknown>) => unknown
type System = {
  cards: {
    checks: { name: string; result: string; detail: string }[]
    failures: { kind: string; count: number; operation: string; requestId: string }[]
  }
}

describe('failures of the card processor', () => {
  const stripe = useStripeShop()
  const failures: Failure[] = []

  before(async () => {
    stripe.shop.context.cards.failures.on('failure', (failure) => failures.push(failure))
  })
  const readSystem = async () =>
    (await stripe.shop.ask(await anAdmin(stripe.database), 'GET', '/system')).body as unknown as System

  const wrong: Record<string, Wrong> = {
    'an empty object': () => ({}),
    'an empty list': () => [],
    null: () => null,
    text: () => 'ok',
    'a list of intents': (value) => ({ object: 'list', data: [value], has_more: false }),
    'another intent': (value) => ({ ...value, id: 'pi_another12345678' }),
    'an unknown status': (value) => ({ ...value, status: 'paid' }),
    'an amount as text': (value) => ({ ...value, amount: '1000' }),
    'a fraction of a cent': (value) => ({ ...value, amount_received: 999.5 }),
    'no metadata': (value) => ({ ...value, metadata: null }),
    'a charge that is not expanded': (value) => ({ ...value, latest_charge: 'ch_1' }),
    'a charge without refunds': (value) => ({ ...value, latest_charge: { id: 'ch_1', disputed: false } }),
  }
  for (const [what, alter] of Object.entries(wrong)) {
    test(`${what} instead of an intent is a 503 and is reported`, async () => {
      const buyer = await aBuyer(stripe.database)
      const id = await stripe.shop.payPackage(buyer)
      failures.length = 0
      stripe.fake.alter = alter
      const response = await stripe.shop.confirm(buyer, id)
      stripe.fake.alter = undefined
      assert.deepEqual([response.status, response.code], [503, 'payments_unavailable'])
      assert.deepEqual(
        failures.map(({ operation, kind }) => [operation, kind]),
        [['retrieve', 'invalid_response']],
      )
      assert.equal(await balanceOf(stripe.database, buyer), 50)
      assert.equal((await stripe.shop.confirm(buyer, id)).status, 200)
    })
  }

  test('a new intent for another purchase or amount is a 503', async () => {
    const buyer = await aBuyer(stripe.database)
    const changes = [
      { amount: 1 },
      { metadata: { purchase_id: buyer.id } },
      { client_secret: null },
      { object: 'customer' },
    ]
    for (const change of changes) {
      stripe.fake.alter = (value) => ({ ...value, ...change })
      assert.equal((await stripe.shop.begin(buyer)).code, 'payments_unavailable')
      stripe.fake.alter = undefined
    }
    await stripe.shop.startIntent(buyer)
  })

  test('a dispute without an amount is a 503, and the coins stay', async () => {
    const buyer = await aBuyer(stripe.database)
    const id = await stripe.shop.payPackage(buyer)
    await stripe.shop.confirm(buyer, id)
    const other = await stripe.shop.payPackage(buyer, 20)
    await stripe.processor.dispute(other)
    stripe.fake.alter = (value) =>
      value.object === 'list' ? { ...value, data: [{ id: 'dp_1', status: 'lost' }] } : value
    assert.equal((await stripe.shop.confirm(buyer, other)).code, 'payments_unavailable')
    stripe.fake.alter = undefined
    assert.equal(await balanceOf(stripe.database, buyer), 200)
  })

  test('a write that is responded to with another object than it made is a 503 and is reported', async () => {
    const { cards } = stripe.shop.context
    const buyer = await aBuyer(stripe.database)
    const details = { userId: buyer.id, name: 'Ruma', email: buyer.email, createdOn: '2026-11-01' }
    const customer = await cards.createCustomer(details, null)
    const { secret, id } = await stripe.shop.startIntent(buyer)
    await stripe.processor.pay(secret, '4242424242424242', true)
    await stripe.processor.dispute(id)
    const [dispute] = (await cards.retrieve(id)).disputes
    const evidence = {
      disputeId: dispute?.id ?? '',
      intentId: id,
      evidence: {
        customerName: 'Ruma',
        customerEmail: '',
        customerIp: '',
        serviceDate: '',
        productDescription: '',
        accessLog: '',
        explanation: '',
      },
      files: [],
    }
    await stripe.processor.winDispute(id)
    const writes: [operation: string, write: () => Promise<unknown>, wrong: Wrong][] = [
      ['evidence', () => cards.submitEvidence(evidence), () => ({})],
      [
        'evidence',
        () => cards.submitEvidence(evidence),
        (value) => ({ ...value, evidence_details: { submission_count: 0 } }),
      ],
      ['update customer', () => cards.updateCustomer(customer, details), () => ({})],
      [
        'refund',
        () => cards.refund(id, { key: 'refund:a', refundId: 'a', cents: 100 }),
        (value) => ({ ...value, amount: 1 }),
      ],
      [
        'refund',
        () => cards.refund(id, { key: 'refund:b', refundId: 'b', cents: 100 }),
        (value) => ({ ...value, metadata: { refund_id: 'c' } }),
      ],
      ['delete customer', () => cards.deleteCustomer(customer), (value) => ({ ...value, deleted: false })],
    ]
    for (const [operation, write, alter] of writes) {
      failures.length = 0
      stripe.fake.alter = alter
      await assert.rejects(write(), { code: 'payments_unavailable' }, operation)
      stripe.fake.alter = undefined
      assert.deepEqual(
        failures.map((failure) => [failure.operation, failure.kind]),
        [[operation, 'invalid_response']],
      )
    }
  })

  test('a saved card that Stripe does not remove is a 503', async () => {
    const buyer = await aBuyer(stripe.database)
    const { secret } = await stripe.shop.startIntent(buyer)
    await stripe.processor.pay(secret, '4242424242424242', true)
    const [card] = (await stripe.shop.ask(buyer, 'GET', '/saved-cards')).body as unknown as { _id: string }[]
    stripe.fake.alter = () => ({})
    const response = await stripe.shop.ask(buyer, 'DELETE', `/saved-cards/${card?._id}`)
    stripe.fake.alter = undefined
    assert.equal(response.code, 'payments_unavailable')
  })

  const outages = {
    error: 'server_error',
    page: 'invalid_response',
    busy: 'rate_limit',
    reset: 'connection',
    silence: 'timeout',
    'key revoked': 'authentication',
    'no permission': 'permission',
    rejected: 'rejected',
  } as const
  for (const [fault, kind] of Object.entries(outages)) {
    test(`"${fault}" is a 503 of the kind ${kind}, without keys`, async () => {
      const buyer = await aBuyer(stripe.database)
      const id = await stripe.shop.payPackage(buyer)
      failures.length = 0
      stripe.fake.fault = fault as keyof typeof outages
      const response = await stripe.shop.confirm(buyer, id)
      stripe.fake.fault = 'fine'
      assert.deepEqual([response.status, response.code], [503, 'payments_unavailable'])
      assert.deepEqual(
        failures.map((failure) => failure.kind),
        [kind],
      )
      assert.doesNotMatch(JSON.stringify(failures), /sk_test|pk_test|_secret_[0-9a-f]/)
    })
  }

  test("a failure is logged with the provider's request id and listed on the System screen", async () => {
    const lines: string[] = []
    const app = await buildApp(stripe.shop.context, {
      level: 'error',
      stream: { write: (line: string) => lines.push(line) },
    })
    const buyer = await aBuyer(stripe.database)
    const id = await stripe.shop.payPackage(buyer)
    stripe.fake.fault = 'key revoked'
    await stripe.shop.confirm(buyer, id)
    stripe.fake.fault = 'fine'
    await app.close()
    const logged = lines.map((line) => JSON.parse(line)).find(({ card }) => card?.kind === 'authentication')
    assert.match(logged.card.requestId, /^req_/)
    assert.equal(logged.msg, 'the card processor failed')
    await eventually(async () => {
      const { cards } = await readSystem()
      return cards.failures.some(({ requestId }) => requestId === logged.card.requestId)
    })
  })

  test('a refused webhook is reported', async () => {
    failures.length = 0
    await stripe.shop.send('pi_whatever12345678', { secret: 'whsec_of_somebody_else' })
    assert.deepEqual(
      failures.map(({ operation, kind }) => [operation, kind]),
      [['webhook', 'webhook']],
    )
  })

  const endpoint = {
    object: 'webhook_endpoint',
    url: 'http://localhost:4700/api/webhooks/card',
    status: 'enabled',
    api_version: '2026-10-28.endive',
    enabled_events: ['*'],
  }
  const endpoints: [what: string, endpoints: object[], problem: RegExp | null][] = [
    ['every event', [endpoint], null],
    ['none', [], /no webhook endpoint with the URL/],
    ['another URL', [{ ...endpoint, url: 'https://example.com' }], /no webhook endpoint with the URL/],
    ['a disabled one', [{ ...endpoint, status: 'disabled' }], /is disabled/],
    ['another version', [{ ...endpoint, api_version: null }], /API version of the account instead/],
    [
      'too few events',
      [{ ...endpoint, enabled_events: ['charge.refunded'] }],
      /does not receive payment_intent/,
    ],
  ]
  for (const [what, list, problem] of endpoints) {
    test(`the check of the webhook endpoint, ${what}: ${problem ?? 'passes'}`, async () => {
      stripe.fake.webhookEndpoints = list as Record<string, unknown>[]
      await checkProvider(stripe.shop.context)
      const { checks } = (await readSystem()).cards
      const webhook = checks.find(({ name }) => name === 'webhook')
      assert.match(webhook?.detail ?? '', problem ?? /^$/)
      assert.equal(webhook?.result, problem === null ? 'ok' : 'failed')
      assert.deepEqual(
        checks.filter(({ name }) => name !== 'webhook').map(({ result }) => result),
        ['ok', 'ok', 'ok'],
      )
    })
  }

  test('a revoked key and a key of another account fail the check, an outage does not', async () => {
    const results = async () => {
      await checkProvider(stripe.shop.context)
      return (await readSystem()).cards.checks.map(({ name, result }) => `${name} ${result}`)
    }
    stripe.fake.fault = 'key revoked'
    assert.ok((await results()).includes('secret_key failed'))
    stripe.fake.fault = 'error'
    assert.ok((await results()).every((result) => result.endsWith('unknown')))
    stripe.fake.fault = 'fine'
    const { publishableKey } = stripe.fake
    stripe.fake.publishableKey = 'pk_test_of_another_account'
    assert.ok((await results()).includes('publishable_key failed'))
    stripe.fake.publishableKey = publishableKey
  })
})
