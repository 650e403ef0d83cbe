import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import Stripe from 'stripe'
import { PACKAGES } from '#contract/product.ts'
import type { Database } from '#server/database/database.ts'
import { type FakeStripe, startFakeStripe } from '#tests/payments/fake-stripe/server.ts'
import { CEILING_MS, eventually } from '#tests/support/eventually.ts'

/** The card provider, which no fault affects, and its webhooks to the server. */
export type FakeCardProvider = {
  fake: FakeStripe
  /** The server's settings for it. */
  env: Record<string, string>
  /** How many messages were delivered, each of them twice at least. */
  readonly delivered: number
  /** The user pays with a card that is always good. */
  pay(clientSecret: string): string
  /** Delivers one message of a paid intent twice at the same moment, and each until it is accepted, as the processor does. */
  deliverTwice(url: string, intentId: string): Promise<void>
  close(): Promise<void>
}

const WEBHOOK_SECRET = 'whsec_of_the_chaos'
const GOOD_CARD = '4242424242424242'

export async function startFakeCardProvider(): Promise<FakeCardProvider> {
  const fake = await startFakeStripe()
  let delivered = 0

  async function deliver(url: string, payload: string): Promise<void> {
    for (const deadline = Date.now() + CEILING_MS; ; ) {
      const signature = Stripe.webhooks.generateTestHeaderString({ payload, secret: WEBHOOK_SECRET })
      const headers = { 'content-type': 'application/json', 'stripe-signature': signature }
      try {
        const response = await fetch(`${url}/api/webhooks/card`, { method: 'POST', headers, body: payload })
        if (response.status === 200) break
      } catch {
        // The connection broke: the processor comes again.
      }
      if (Date.now() > deadline) throw new Error(`No webhook was accepted for ${CEILING_MS} ms`)
      await sleep(100 + Math.random() * 200)
    }
    delivered++
  }

  return {
    fake,
    env: {
      CARD_PROVIDER: 'stripe',
      STRIPE_SECRET_KEY: fake.secretKey,
      STRIPE_PUBLISHABLE_KEY: fake.publishableKey,
      STRIPE_WEBHOOK_SECRET: WEBHOOK_SECRET,
      STRIPE_API_HOST: fake.url,
    },
    get delivered() {
      return delivered
    },
    pay(clientSecret) {
      const { status } = fake.confirm(clientSecret, GOOD_CARD)
      if (status !== 'succeeded') throw new Error(`The card was not charged: ${status}`)
      return clientSecret.split('_secret_')[0] ?? ''
    },
    async deliverTwice(url, intentId) {
      const payload = JSON.stringify({
        id: `evt_${randomUUID().replaceAll('-', '')}`,
        object: 'event',
        type: 'payment_intent.succeeded',
        data: { object: { id: intentId, object: 'payment_intent' } },
      })
      await Promise.all([deliver(url, payload), deliver(url, payload)])
    },
    close: () => fake.close(),
  }
}

/** Waits until every event is processed. Retries delayed by a fault run now. */
export async function waitForCardEvents({ pool }: Database): Promise<void> {
  await eventually(async () => {
    const { rows } = await pool.query(
      'update card_events set next_try_at = now() where processed_at is null returning id',
    )
    return rows.length === 0
  })
}

/** Compares what was paid with what was credited: each paid intent once, with its package's coins, and nothing else. */
export async function comparePurchases(
  { pool }: Database,
  { fake }: FakeCardProvider,
): Promise<{ paid: number; lost: string[]; doubled: string[] }> {
  const paid = [...fake.intents.values()].filter(({ status }) => status === 'succeeded')
  const { rows } = await pool.query<{ intent_id: string; coins: number; moved: number; times: number }>(
    `select purchases.intent_id, purchases.coins, count(ledger_transfers.ref)::int as times,
            coalesce(sum(ledger_transfers.amount), 0)::int as moved
       from purchases left join ledger_transfers on kind = 'coins_bought' and ref = purchases.id
      where state = 'credited' group by purchases.id`,
  )
  const credited = new Map(rows.map((row) => [row.intent_id, row]))
  const lost: string[] = []
  const doubled: string[] = []
  for (const { id, amount } of paid) {
    const coins = PACKAGES.find(({ price }) => price * 100 === amount)?.coins
    const row = credited.get(id)
    if (row === undefined) lost.push(`purchase ${id}`)
    else if (row.times !== 1 || row.moved !== coins)
      doubled.push(`purchase ${id}: ${row.moved} coins in ${row.times}`)
    credited.delete(id)
  }
  doubled.push(...[...credited.keys()].map((id) => `purchase ${id} was credited and never paid`))
  return { paid: paid.length, lost, doubled }
}
