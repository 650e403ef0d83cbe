import assert from 'node:assert/strict'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, describe, test } from 'node:test'
import { readConfig } from '#server/config.ts'
import { useDatabase } from '#tests/support/database.ts'
import { eventually } from '#tests/support/eventually.ts'
import { aBuyer, balanceOf } from '#tests/support/factories.ts'
import { aShop, debtOf, type Shop } from './shop.ts'

/**
 * The Stripe adapter against somebody else's idea of Stripe: localstripe (github.com/adrienverge/localstripe, GPL, in
 * Python, not part of this project). Runs where LOCALSTRIPE_URL names one that runs; docs/payments.md says how.
 *
 * It speaks an older version of the API, so a proxy is in front of it: two parameters of ours are named as they were
 * then, and fields that it does not have are added: `amount_received`, the amount of a succeeded intent, and `disputed`.
 */
const address = process.env.LOCALSTRIPE_URL
const SECRET_KEY = 'sk_test_localstripe'
const WEBHOOK_SECRET = 'whsec_localstripe'

describe('the Stripe adapter against localstripe', {
  skip: address === undefined && 'LOCALSTRIPE_URL is not set',
}, () => {
  const db = useDatabase()
  let shop: Shop
  let proxy: { url: string; close(): void }

  before(async () => {
    proxy = await startReverseProxy(address ?? '')
    const { card } = readConfig({
      NODE_ENV: 'test',
      CARD_PROVIDER: 'stripe',
      STRIPE_SECRET_KEY: SECRET_KEY,
      STRIPE_PUBLISHABLE_KEY: 'pk_test_localstripe',
      STRIPE_WEBHOOK_SECRET: WEBHOOK_SECRET,
      STRIPE_API_HOST: proxy.url,
    })
    const wrap: Parameters<typeof aShop>[1]['wrap'] = (cards) => cards
    shop = await aShop(db.database, { card, wrap })
    const ours = await shop.app.listen({ port: 0, host: '127.0.0.1' })
    await post('/_config/webhooks/tests', { url: `${ours}/api/webhooks/card`, secret: WEBHOOK_SECRET })
  })
  after(async () => {
    await shop.close()
    proxy.close()
  })

  async function post(path: string, body: Record<string, string>): Promise<{ id: string; status: string }> {
    const reply = await fetch(`${address}${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${SECRET_KEY}` },
      body: new URLSearchParams(body),
    })
    const text = await reply.text()
    return text === '' ? { id: '', status: '' } : JSON.parse(text)
  }

  /** What a browser does with the card that the user typed. */
  async function pay(id: string, number: string): Promise<string> {
    const method = await post('/v1/payment_methods', {
      type: 'card',
      'card[number]': number,
      'card[exp_month]': '12',
      'card[exp_year]': '2040',
      'card[cvc]': '123',
    })
    await post(`/v1/payment_intents/${id}`, { payment_method: method.id })
    return (await post(`/v1/payment_intents/${id}/confirm`, {})).status
  }

  test('paid: its own webhook credits, and the client finds it credited', async () => {
    const buyer = await aBuyer(db.database)
    const { id } = await shop.startIntent(buyer, 20)
    assert.equal(await pay(id, '4242424242424242'), 'succeeded')
    await eventually(async () => (await balanceOf(db.database, buyer)) === 550)
    assert.equal((await shop.confirm(buyer, id)).body.coin, 550)
  })

  test('declined: nothing is credited', async () => {
    const buyer = await aBuyer(db.database)
    const { id } = await shop.startIntent(buyer)
    await pay(id, '4000000000000341')
    assert.equal((await shop.confirm(buyer, id)).code, 'payment_not_succeeded')
    assert.equal(await balanceOf(db.database, buyer), 50)
  })

  for (const success of ['true', 'false']) {
    test(`3-D Secure ${success === 'true' ? 'passed: credited' : 'failed: not credited'}`, async () => {
      const buyer = await aBuyer(db.database)
      const { id, secret } = await shop.startIntent(buyer)
      assert.equal(await pay(id, '4000002500003155'), 'requires_action')
      assert.equal((await shop.confirm(buyer, id)).code, 'payment_not_succeeded')
      await post(`/v1/payment_intents/${id}/_authenticate?success=${success}`, {
        client_secret: secret,
        success,
      })
      await shop.confirm(buyer, id)
      assert.equal(await balanceOf(db.database, buyer), success === 'true' ? 200 : 50)
    })
  }

  test('refunded: the coins are taken back', async () => {
    const buyer = await aBuyer(db.database)
    const { id } = await shop.startIntent(buyer)
    await pay(id, '4242424242424242')
    await shop.confirm(buyer, id)
    await post('/v1/refunds', { payment_intent: id })
    await shop.send(id, { type: 'charge.refunded' })
    await shop.waitForEvents()
    assert.deepEqual([await balanceOf(db.database, buyer), await debtOf(db.database, buyer)], [50, 0])
  })

  test('cancelled and unknown intents are reported', async () => {
    const buyer = await aBuyer(db.database)
    const { id } = await shop.startIntent(buyer)
    assert.equal((await shop.context.cards.cancel(id)).state, 'cancelled')
    assert.equal((await shop.confirm(buyer, id)).code, 'payment_not_succeeded')
    await assert.rejects(shop.context.cards.retrieve('pi_unknown12345678'), /does not exist/)
  })
})

async function startReverseProxy(behind: string): Promise<{ url: string; close(): void }> {
  const pass = async (request: IncomingMessage, response: ServerResponse) => {
    const body = new URLSearchParams(await text(request))
    const types = body.get('allowed_payment_method_types[0]')
    if (types !== null) body.set('payment_method_types[0]', types)
    body.delete('allowed_payment_method_types[0]')
    body.delete('description')
    const reply = await fetch(`${behind}${request.url}`, {
      method: request.method ?? 'GET',
      headers: { authorization: request.headers.authorization ?? '' },
      ...(request.method === 'POST' && { body }),
    })
    // It has no customer sessions, and an HTML page for what it does not have.
    const content = await reply.text()
    const value = content.startsWith('{')
      ? JSON.parse(content)
      : { error: { type: 'invalid_request_error', message: content } }
    if (value.object === 'payment_intent') {
      value.amount_received = value.status === 'succeeded' ? value.amount : 0
      if (value.latest_charge) value.latest_charge.disputed = false
    }
    response.writeHead(reply.status, { 'content-type': 'application/json' }).end(JSON.stringify(value))
  }
  const server = createServer((request, response) => void pass(request, response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
}

async function text(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString()
}
