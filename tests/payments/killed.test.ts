import assert from 'node:assert/strict'
import { once } from 'node:events'
import { after, describe, test } from 'node:test'
import { processEvents } from '#server/payments/card-events.ts'
import { createProvider } from '#server/payments/create-provider.ts'
import { reconcilePurchases } from '#server/payments/reconcile.ts'
import { useDatabase } from '#tests/support/database.ts'
import { eventually } from '#tests/support/eventually.ts'
import { testConfig } from '#tests/support/factories.ts'
import { type ServerProcess, startServerProcess } from '#tests/support/server-process.ts'
import { aStripe } from './processors.ts'

/**
 * The server dies, without warning, after Stripe has the money and before the coins are credited. Whatever starts next
 * on the same database finds out and credits once.
 */
describe('the server is killed between success at the provider and the credit', () => {
  const db = useDatabase()
  let serverProcess: ServerProcess | undefined
  after(() => serverProcess?.stop())

  test('reconciliation after the next start credits once', async () => {
    const processor = await aStripe()
    const { fake, card } = processor
    assert.ok(card.provider === 'stripe')
    serverProcess = await startServerProcess({
      env: {
        DATABASE_URL: db.url,
        DEMO: '0',
        CARD_PROVIDER: 'stripe',
        STRIPE_SECRET_KEY: card.secretKey,
        STRIPE_PUBLISHABLE_KEY: card.publishableKey,
        STRIPE_WEBHOOK_SECRET: card.webhookSecret,
        STRIPE_API_HOST: fake.url,
      },
    })
    const { url, process: server } = serverProcess
    const ask = async (path: string, headers: Record<string, string>, body: object) =>
      fetch(`${url}/api${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body: JSON.stringify(body),
      })

    const user = { name: 'Ruma', email: 'ruma@example.com', password: 'Sesame!open' }
    const entered = await ask('/auth/sign-up', {}, user)
    const cookie = entered.headers
      .getSetCookie()
      .map((one) => one.split(';', 1)[0])
      .join('; ')
    const { token } = (await (await ask('/auth/token', { cookie }, {})).json()) as { token: string }
    const authorization = `Bearer ${token}`
    const registered = await ask(
      '/user-data',
      { authorization },
      { name: 'Ruma', email: user.email, role: 'Buyer' },
    )
    assert.equal(registered.status, 200)
    const begun = await ask('/create-payment-intent', { authorization }, { price: 20 })
    const { clientSecret } = (await begun.json()) as { clientSecret: string }
    assert.equal((await processor.pay(clientSecret, '4242424242424242')).status, 'succeeded')

    // Stripe has the response ready and holds it back; the server waits for it and is killed.
    const { promise, resolve } = Promise.withResolvers<void>()
    fake.pause = promise
    const asked = fake.requests.length
    const transactionId = clientSecret.split('_secret_')[0]
    // No response, or after the server's own limit that the provider is unavailable.
    const lost = ask('/payment-success', { authorization }, { transactionId }).then(
      ({ status }) => assert.equal(status, 503),
      () => {},
    )
    await eventually(() => fake.requests.length > asked)
    server.kill('SIGKILL')
    await Promise.all([once(server, 'exit'), lost])
    fake.pause = undefined
    resolve()

    const coins = async () => {
      const { rows } = await db.database.pool.query<{ balance: number }>(
        'select balance from ledger_accounts where id = (select account_id from users where email_key = $1)',
        [user.email],
      )
      return Number(rows[0]?.balance)
    }
    assert.equal(await coins(), 50)
    await db.database.pool.query(`update purchases set checked_at = checked_at - interval '11 minutes'`)
    const context = {
      database: db.database,
      cards: await createProvider(db.database, { ...testConfig, card }),
    }
    await reconcilePurchases(context)
    await reconcilePurchases(context)
    await processEvents(context)
    assert.equal(await coins(), 50 + 500)
    await processor.close()
  })
})
