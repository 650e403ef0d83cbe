import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Database } from '#server/database/database.ts'
import { processEvents } from '#server/payments/card-events.ts'
import { comparePayments, reconcilePurchases } from '#server/payments/reconcile.ts'
import { deleteUser } from '#server/users/delete.ts'
import { useDatabase } from '#tests/support/database.ts'
import { eventually } from '#tests/support/eventually.ts'
import { aBuyer, anAdmin, aTask, aWorker, balanceOf, type TestUser } from '#tests/support/factories.ts'
import { CARD_LIMITS } from './card-limits.ts'
import { CONTAINMENT } from './containment.ts'
import { DISPUTE_FILES } from './dispute-files.ts'
import { DISPUTES } from './disputes.ts'
import { DRILLS } from './drills.ts'
import type { Processor } from './processor.ts'
import { REFUNDS } from './refunds.ts'
import { SAVED_CARDS } from './saved-cards.ts'
import { aShop, debtOf, noticesOf, purchasesOf, type Shop } from './shop.ts'
import { TAX } from './tax.ts'
import { UNMATCHED } from './unmatched.ts'

const GOOD = '4242424242424242'
const DECLINED = '4000000000000002'
const NO_FUNDS = '4000000000009995'
const CHALLENGED = '4000002500003155'
const CHALLENGED_NO_FUNDS = '4000008260003178'
/** A Buyer starts with 50 coins; the package for 10 dollars has 150. */
const START = 50

/** The same stories for every card processor (issue "Buying coins by card"). */
export function paymentMatrix(
  name: string,
  open: (database: Database) => Processor | Promise<Processor>,
): void {
  describe(`buying coins by card with ${name}`, () => {
    const db = useDatabase()
    let processor: Processor
    let shop: Shop
    let buyer: TestUser
    const coins = (user = buyer) => balanceOf(db.database, user)

    before(async () => {
      processor = await open(db.database)
      shop = await aShop(db.database, processor)
    })
    after(async () => {
      await shop.close()
      await processor.close()
    })
    const story = (title: string, send: () => Promise<void>): void => {
      void test(title, async () => {
        buyer = await aBuyer(db.database)
        await send()
      })
    }

    story('a package is chosen, paid, credited and listed in the history', async () => {
      const id = await shop.payWell(buyer, 35)
      assert.equal(await coins(), START)
      const claims = { email: buyer.email, coins: 1000, price: 35, date: 'whenever' }
      const first = await shop.confirm(buyer, id, claims)
      assert.equal(first.status, 200)
      assert.deepEqual([first.body.status, first.body.coin], ['credited', START + 1000])
      const again = await shop.confirm(buyer, id, claims)
      assert.deepEqual(again.body, first.body)

      const history = await shop.ask(buyer, 'GET', `/payment-history/${buyer.email}`)
      const [payment, ...others] = history.body as unknown as Record<string, unknown>[]
      assert.equal(others.length, 0)
      const { email, price, transactionId, status, card } = payment ?? {}
      assert.deepEqual(
        { email, price, transactionId, status, coins: payment?.coins, card },
        {
          email: buyer.email,
          price: 35,
          transactionId: id,
          status: 'Success',
          coins: 1000,
          card: { brand: 'visa', last4: '4242' },
        },
      )
      assert.deepEqual(await noticesOf(db.database, buyer, 'coins_bought'), [
        'You bought 1,000 coins for $35.00.',
      ])
    })

    story('choosing a package twelve times at once creates one intent', async () => {
      const made = await processor.countIntents()
      const responses = await Promise.all(Array.from({ length: 12 }, () => shop.beginWell(buyer)))
      assert.equal(new Set(responses.map(({ secret }) => secret)).size, 1)
      assert.equal((await processor.countIntents()) - made, 1)
    })

    story(
      'a key that comes again with another package is refused; with the same one it is the same intent',
      async () => {
        const choose = (price: number) =>
          shop.ask(
            buyer,
            'POST',
            '/create-payment-intent',
            { price },
            { 'idempotency-key': `try-${buyer.id}` },
          )
        const first = await choose(10)
        assert.equal((await choose(10)).body.clientSecret, first.body.clientSecret)
        assert.equal((await choose(35)).code, 'idempotency_key_reused')
        assert.deepEqual(await purchasesOf(db.database, buyer), ['open'])
      },
    )

    story(
      'the same key returns the same intent after it was paid too, and another key a new one',
      async () => {
        const choose = (key: string) =>
          shop.ask(
            buyer,
            'POST',
            '/create-payment-intent',
            { price: 10 },
            { 'idempotency-key': `${key}-${buyer.id}` },
          )
        const secretOf = async (key: string) => (await choose(key)).body.clientSecret
        const secret = (await secretOf('one')) as string
        await processor.pay(secret, GOOD)
        assert.deepEqual([await secretOf('one'), await coins()], [secret, START], 'paid')
        const id = secret.split('_secret_')[0] ?? ''
        assert.equal((await shop.confirm(buyer, id)).status, 200)
        assert.equal(await secretOf('one'), secret, 'credited')
        assert.notEqual(await secretOf('two'), secret)
        assert.equal(await secretOf('one'), secret)
        assert.deepEqual(await purchasesOf(db.database, buyer), ['credited', 'open'])
      },
    )

    story('the same key returns a new intent once the first was cancelled', async () => {
      const choose = () =>
        shop.ask(
          buyer,
          'POST',
          '/create-payment-intent',
          { price: 10 },
          { 'idempotency-key': `one-${buyer.id}` },
        )
      const secret = (await choose()).body.clientSecret as string
      await processor.cancel(secret.split('_secret_')[0] ?? '')
      const again = (await choose()).body.clientSecret
      assert.notEqual(again, secret)
      assert.equal((await choose()).body.clientSecret, again)
    })

    story('unknown and invalid prices are refused', async () => {
      for (const price of [15, 0, -10, 10.5, 1e300])
        assert.equal((await shop.begin(buyer, price)).status, 422)
      for (const price of ['10', null, [10]])
        assert.equal((await shop.begin(buyer, price as unknown as number)).status, 400)
      assert.deepEqual(await purchasesOf(db.database, buyer), [])
    })

    story('only a Buyer can create an intent', async () => {
      assert.equal((await shop.begin(null)).status, 401)
      for (const other of [await aWorker(db.database), await anAdmin(db.database)]) {
        assert.equal((await shop.begin(other)).code, 'role_not_allowed')
        assert.equal((await shop.confirm(other, 'pi_whatever1')).code, 'role_not_allowed')
      }
    })

    story('the client dies after paying: the webhook credits', async () => {
      const id = await shop.payWell(buyer)
      assert.equal(await shop.send(id), 200)
      await shop.settled()
      assert.equal(await coins(), START + 150)
    })

    story('the client dies and the webhook is lost: reconciliation credits', async () => {
      await shop.payWell(buyer)
      await reconcilePurchases(shop.context)
      assert.equal(await coins(), START, 'too early to ask')
      await shop.wait('11 minutes')
      await reconcilePurchases(shop.context)
      await reconcilePurchases(shop.context)
      assert.equal(await coins(), START + 150)
    })

    story('the webhook arrives before the client: the client finds it credited', async () => {
      const id = await shop.payWell(buyer)
      await shop.send(id)
      await shop.settled()
      const { status, body } = await shop.confirm(buyer, id)
      assert.deepEqual([status, body.status, body.coin], [200, 'credited', START + 150])
    })

    story('the same webhook ten times at once, with others about the same intent, credits once', async () => {
      const id = await shop.payWell(buyer)
      const same = Array.from({ length: 10 }, () => shop.send(id, { id: `evt_same${id.slice(3)}` }))
      const others = Array.from({ length: 10 }, () => shop.send(id))
      assert.deepEqual(new Set(await Promise.all([...same, ...others])), new Set([200]))
      await shop.settled()
      assert.equal(await coins(), START + 150)
    })

    story('webhooks out of order, or late, leave the provider’s state', async () => {
      const id = await shop.payWell(buyer)
      await processor.refund(id)
      await shop.send(id, { type: 'charge.refunded' })
      await shop.settled()
      await shop.send(id, { type: 'payment_intent.succeeded' })
      await shop.send(id, { type: 'payment_intent.created' })
      await shop.settled()
      assert.equal(await coins(), START)
      assert.equal(await debtOf(db.database, buyer), 0)
    })

    story('forged, altered, stale and malformed events are rejected and not stored', async () => {
      const id = await shop.payWell(buyer)
      const kept = async () => (await db.database.pool.query('select from card_events')).rows.length
      const before = await kept()
      assert.equal(await shop.send(id, { secret: 'whsec_of_somebody_else' }), 400)
      assert.equal(await shop.send(id, { secondsAgo: 301 }), 400)
      assert.equal(await shop.send(id, { payload: 'not json' }), 400)
      assert.equal(await shop.send(id, { payload: '{}' }), 400)
      const bare = await shop.app.inject({
        method: 'POST',
        url: '/api/webhooks/card',
        payload: { id: 'evt_1' },
      })
      assert.equal(bare.statusCode, 400)
      const empty = await shop.app.inject({ method: 'POST', url: '/api/webhooks/card' })
      assert.equal(empty.statusCode, 400)
      assert.equal(await kept(), before)
      assert.equal(await coins(), START)
    })

    story('an event about an unknown intent is acknowledged and ignored', async () => {
      assert.equal(await shop.send('pi_ofAnotherShop123456'), 200)
      assert.equal(await shop.send('', { type: 'customer.created' }), 200)
      await shop.settled()
    })

    story('fifty confirmations at once, with webhooks between them, credit once', async () => {
      const id = await shop.payWell(buyer)
      const responses = await Promise.all([
        ...Array.from({ length: 50 }, () => shop.confirm(buyer, id)),
        ...Array.from({ length: 5 }, async () => ({ status: await shop.send(id) })),
      ])
      assert.deepEqual(new Set(responses.map(({ status }) => status)), new Set([200]))
      await shop.settled()
      assert.equal(await coins(), START + 150)
    })

    story("another user's transaction is not found and credits no one", async () => {
      const id = await shop.payWell(buyer)
      const thief = await aBuyer(db.database)
      for (const claims of [{}, { email: buyer.email }, { email: thief.email }])
        assert.equal((await shop.confirm(thief, id, claims)).code, 'payment_not_found')
      assert.deepEqual([await coins(), await coins(thief)], [START, START])
    })

    story('invalid transaction ids are not found', async () => {
      for (const id of ['x', 'pi_unknown12345678', '../v1/charges', 'pi_%00', '💳'.repeat(20)])
        assert.equal((await shop.confirm(buyer, id)).status, 404)
    })

    story('ten dollars claimed as a thousand coins are refused and change nothing', async () => {
      const id = await shop.payWell(buyer)
      for (const claims of [
        { coins: 1000 },
        { price: 35 },
        { coins: 1000, price: 35 },
        { coins: 150, price: 1 },
      ])
        assert.equal((await shop.confirm(buyer, id, claims)).code, 'payment_mismatch')
      assert.equal((await shop.confirm(buyer, id, { email: 'else@example.com' })).code, 'not_yours')
      assert.equal(await coins(), START)
      assert.equal((await shop.confirm(buyer, id, { coins: 150, price: 10 })).status, 200)
      assert.equal(await coins(), START + 150)
    })

    const stranger = '00000000-0000-4000-8000-000000000000'
    const tampered = {
      amount: { amountCents: 100 },
      user: { metadata: { user_id: stranger } },
      package: { metadata: { coins: '1000' } },
      order: { metadata: { purchase_id: stranger } },
    }
    for (const [what, changes] of Object.entries(tampered)) {
      story(
        `an intent whose ${what} does not match the order credits nothing and notifies the Admins once`,
        async () => {
          const admin = await anAdmin(db.database)
          const id = await shop.payWell(buyer)
          await processor.change(id, changes)
          assert.equal((await shop.confirm(buyer, id)).code, 'payment_mismatch')
          assert.equal((await shop.confirm(buyer, id)).code, 'payment_mismatch')
          await shop.send(id)
          await shop.settled()
          assert.equal(await coins(), START)
          assert.equal((await noticesOf(db.database, admin, 'payment_refused')).length, 1)
        },
      )
    }

    story('a cancelled intent credits nothing, and the next choice creates a new one', async () => {
      const { id } = await shop.beginWell(buyer)
      await processor.cancel(id)
      assert.equal((await shop.confirm(buyer, id)).code, 'payment_not_succeeded')
      assert.notEqual((await shop.beginWell(buyer)).id, id)
      assert.equal(await coins(), START)
    })

    story('a processing intent stays open', async () => {
      const { id, secret } = await shop.beginWell(buyer)
      await processor.pay(secret, GOOD)
      await processor.change(id, { status: 'processing' })
      const response = await shop.confirm(buyer, id)
      assert.deepEqual(
        [response.status, response.body.status, response.body.insertedId],
        [202, 'processing', null],
      )
      assert.equal((await shop.begin(buyer)).code, 'state_conflict')
      await processor.change(id, { status: 'succeeded' })
      await shop.wait('11 minutes')
      await reconcilePurchases(shop.context)
      assert.equal(await coins(), START + 150)
    })

    story('an unpaid intent claimed as paid credits nothing', async () => {
      const { id } = await shop.beginWell(buyer)
      assert.equal((await shop.confirm(buyer, id)).code, 'payment_not_succeeded')
      await shop.send(id)
      await shop.settled()
      assert.equal(await coins(), START)
    })

    story('declined cards cost nothing, and another card pays the same intent', async () => {
      const { id, secret } = await shop.beginWell(buyer)
      assert.deepEqual(await processor.pay(secret, DECLINED), {
        status: 'failed',
        message: 'Your card was declined.',
      })
      assert.deepEqual(await processor.pay(secret, NO_FUNDS), {
        status: 'failed',
        message: 'Your card has insufficient funds.',
      })
      assert.equal((await shop.confirm(buyer, id)).code, 'payment_not_succeeded')
      assert.equal((await shop.beginWell(buyer)).id, id)
      assert.equal((await processor.pay(secret, GOOD)).status, 'succeeded')
      assert.equal((await shop.confirm(buyer, id)).status, 200)
      assert.equal(await coins(), START + 150)
    })

    story('3-D Secure: credited when passed, not when failed, not when the bank then declines', async () => {
      const { id, secret } = await shop.beginWell(buyer)
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
    })

    const refundRateLimit = {
      refund: (id: string) => processor.refund(id),
      dispute: (id: string) => processor.dispute(id),
    }
    for (const [what, take] of Object.entries(refundRateLimit)) {
      const type = what === 'refund' ? 'charge.refunded' : 'charge.dispute.created'

      story(`a ${what} before the coins were spent takes them back`, async () => {
        const admin = await anAdmin(db.database)
        const id = await shop.payWell(buyer)
        await shop.confirm(buyer, id)
        await take(id)
        await Promise.all([shop.send(id, { type }), shop.send(id, { type }), shop.send(id, { type })])
        await shop.settled()
        assert.deepEqual([await coins(), await debtOf(db.database, buyer)], [START, 0])
        assert.equal((await noticesOf(db.database, admin, 'payment_reversed')).length, 1)
        const [row] = (await shop.ask(buyer, 'GET', `/payment-history/${buyer.email}`)).body as unknown as [
          Record<string, unknown>,
        ]
        assert.equal(row.status, what === 'refund' ? 'Refunded' : 'Disputed')
      })

      story(`a ${what} after the coins were spent takes the balance and the rest becomes debt`, async () => {
        const admin = await anAdmin(db.database)
        const id = await shop.payWell(buyer)
        await shop.confirm(buyer, id)
        await aTask(db.database, buyer, { reward: 12, slots: 10 })
        assert.equal(await coins(), 80)
        await take(id)
        await shop.send(id, { type })
        await shop.settled()
        assert.deepEqual([await coins(), await debtOf(db.database, buyer)], [0, 70])
        assert.match(
          (await noticesOf(db.database, admin, 'payment_reversed'))[0] ?? '',
          / 80 coins were taken back. Another 70 coins were already spent/,
        )
        const record = async () => (await shop.ask(buyer, 'GET', `/user-details/${buyer.email}`)).body
        assert.equal((await record()).debt, 70)
        const next = await shop.payWell(buyer)
        for (const attempt of [1, 2]) {
          const { coin, repaid, debt } = (await shop.confirm(buyer, next)).body
          assert.deepEqual([coin, repaid, debt], [80, 70, 0], `confirmation ${attempt}`)
        }
        assert.deepEqual([await coins(), await debtOf(db.database, buyer)], [80, 0])
        assert.equal((await record()).debt, 0)
      })
    }

    story('refunds in parts take coins in proportion, each part once', async () => {
      const id = await shop.payWell(buyer)
      await shop.confirm(buyer, id)
      await processor.refund(id, 333)
      await shop.send(id, { type: 'charge.refunded' })
      await shop.settled()
      assert.equal(await coins(), START + 150 - 49)
      await processor.refund(id, 1000)
      await shop.send(id, { type: 'charge.refunded' })
      await shop.send(id, { type: 'charge.refunded' })
      await shop.settled()
      assert.equal(await coins(), START)
    })

    story('a won dispute returns the coins', async () => {
      const id = await shop.payWell(buyer)
      await shop.confirm(buyer, id)
      await aTask(db.database, buyer, { reward: 12, slots: 10 })
      await processor.dispute(id)
      await shop.send(id, { type: 'charge.dispute.created' })
      await shop.settled()
      assert.deepEqual([await coins(), await debtOf(db.database, buyer)], [0, 70])
      await processor.winDispute(id)
      await shop.send(id, { type: 'charge.dispute.closed' })
      await shop.settled()
      assert.deepEqual([await coins(), await debtOf(db.database, buyer)], [80, 0])
    })

    story('only a state of a dispute that is final in our favour gives the coins back', async () => {
      const admin = await anAdmin(db.database)
      const id = await shop.payWell(buyer)
      await shop.confirm(buyer, id)
      await processor.dispute(id)
      const withheld = [
        'needs_response',
        'under_review',
        'lost',
        'appeal_needs_response',
        'appeal_under_review',
        'lost',
        'a_state_of_next_year',
        'warning_under_review',
        'constructor',
      ]
      for (const status of withheld) {
        await processor.setDispute(id, status)
        await shop.send(id, { type: 'charge.dispute.updated' })
        await shop.settled()
        assert.equal(await coins(), START, status)
      }
      for (const status of ['won', 'prevented', 'warning_closed']) {
        await processor.setDispute(id, status)
        await shop.send(id, { type: 'charge.dispute.closed' })
        await shop.settled()
        assert.equal(await coins(), START + 150, status)
        await processor.setDispute(id, 'needs_response')
        await shop.send(id, { type: 'charge.dispute.updated' })
        await shop.settled()
        assert.equal(await coins(), START, `${status}, and disputed again`)
      }
      const alerts = await noticesOf(db.database, admin, 'dispute_unknown')
      assert.deepEqual(
        alerts.map((text) => /status "(\w+)"/.exec(text)?.[1]),
        ['a_state_of_next_year', 'constructor'],
      )
    })

    story('an inquiry takes no coins', async () => {
      const id = await shop.payWell(buyer)
      await shop.confirm(buyer, id)
      await processor.dispute(id)
      for (const status of ['warning_needs_response', 'warning_under_review', 'warning_closed']) {
        await processor.setDispute(id, status)
        await shop.send(id, { type: 'charge.dispute.updated' })
        await shop.settled()
        assert.equal(await coins(), START + 150, status)
      }
    })

    story('the provider is down when a package is chosen: 503, and a retry works, once', async () => {
      const made = await processor.countIntents()
      processor.outage(true)
      const response = await shop.begin(buyer).finally(() => processor.outage(false))
      assert.deepEqual([response.status, response.code], [503, 'payments_unavailable'])
      await shop.beginWell(buyer)
      assert.equal((await processor.countIntents()) - made, 1)
      assert.deepEqual(await purchasesOf(db.database, buyer), ['open'])
    })

    story('refunds and disputes without webhooks are found by the comparison job', async () => {
      const id = await shop.payWell(buyer)
      await shop.confirm(buyer, id)
      const aDayLater = async (days = 1) => {
        await db.database.pool.query(
          `update purchases set created_at = created_at - $2 * interval '1 day', checked_at = checked_at - $2 * interval '1 day'
            where intent_id = $1`,
          [id, days],
        )
        await comparePayments(shop.context)
        await comparePayments(shop.context)
      }
      await processor.refund(id, 400)
      await comparePayments(shop.context)
      assert.equal(await coins(), START + 150, 'asked about today already')
      await aDayLater()
      assert.equal(await coins(), START + 90)
      await processor.dispute(id)
      await aDayLater()
      assert.equal(await coins(), START)
      await processor.winDispute(id)
      await aDayLater()
      assert.equal(await coins(), START + 90)
      assert.equal((await noticesOf(db.database, buyer, 'payment_reversed')).length, 3)
      await processor.dispute(id)
      await aDayLater(180)
      assert.equal(await coins(), START + 90, 'nobody asks about a payment for ever')
    })

    story(
      'after a clock that was a week ahead goes back, purchases and messages are not left lying',
      async () => {
        await shop.payWell(buyer)
        await db.database.pool.query(
          `update purchases set checked_at = clock_time() + interval '7 days' where user_id = $1`,
          [buyer.id],
        )
        await reconcilePurchases(shop.context)
        assert.equal(await coins(), START + 150)
        const notified = await shop.payWell(buyer, 1)
        await db.database.pool.query(
          `insert into card_events (id, type, intent_id, next_try_at)
         values ($1, 'payment_intent.succeeded', $1, clock_time() + interval '7 days')`,
          [notified],
        )
        await processEvents(shop.context)
        assert.equal(await coins(), START + 160)
      },
    )

    story('a user who creates or confirms very often gets Retry-After, others do not', async () => {
      const { id } = await shop.beginWell(buyer)
      const { pool } = db.database
      await pool.query(`update rate_limits set hits = 60 where key = $1`, [`card-begin:${buyer.id}`])
      assert.equal((await shop.begin(buyer)).code, 'too_many_requests')
      assert.equal((await shop.begin(buyer, 15)).status, 422, 'what asks nobody is not counted')
      assert.equal((await shop.confirm(buyer, id)).code, 'payment_not_succeeded')
      await pool.query(`update rate_limits set hits = 300 where key = $1`, [`card-confirm:${buyer.id}`])
      assert.equal((await shop.confirm(buyer, id)).code, 'too_many_requests')
      await shop.beginWell(await aBuyer(db.database))
    })

    story('the provider is down when the client returns: 503, no credit, and it recovers', async () => {
      const id = await shop.payWell(buyer)
      processor.outage(true)
      const response = await shop.confirm(buyer, id).finally(() => processor.outage(false))
      assert.deepEqual([response.status, response.code], [503, 'payments_unavailable'])
      assert.equal(await coins(), START)
      await shop.wait('11 minutes')
      await reconcilePurchases(shop.context)
      assert.equal(await coins(), START + 150)
    })

    story('the provider is down when its event is processed: the event is kept and retried', async () => {
      const id = await shop.payWell(buyer)
      processor.outage(true)
      assert.equal(await shop.send(id), 200)
      const tried = 'select from card_events where processed_at is null and outcome <> $1'
      await eventually(async () => (await db.database.pool.query(tried, [''])).rowCount === 1)
      processor.outage(false)
      assert.equal(await coins(), START)
      await shop.wait('1 hour')
      await processEvents(shop.context)
      await shop.settled()
      assert.equal(await coins(), START + 150)
    })

    story(
      'who paid and was cut off is credited, and not charged again, on choosing the package again',
      async () => {
        await shop.payWell(buyer)
        const again = await shop.begin(buyer)
        assert.equal(again.code, 'state_conflict')
        assert.equal(await coins(), START + 150)
        assert.equal((await shop.begin(buyer)).status, 200)
      },
    )

    story('a purchase unpaid for a day is cancelled at the provider and closed', async () => {
      const { id, secret } = await shop.beginWell(buyer)
      await shop.wait('24 hours')
      await reconcilePurchases(shop.context)
      assert.deepEqual(await purchasesOf(db.database, buyer), ['closed'])
      await assert.rejects(processor.pay(secret, GOOD))
      assert.notEqual((await shop.beginWell(buyer)).id, id)
    })

    story('an unpaid intent of yesterday is not offered again', async () => {
      const { id } = await shop.beginWell(buyer)
      await shop.wait('24 hours')
      assert.notEqual((await shop.beginWell(buyer)).id, id)
      assert.deepEqual(await purchasesOf(db.database, buyer), ['closed', 'open'])
    })

    story(
      'a payment of a deleted user credits no coins; it is stored and the Admins are notified',
      async () => {
        const admin = await anAdmin(db.database)
        const id = await shop.payWell(buyer)
        await deleteUser(db.database, buyer.id, admin.id)
        await shop.send(id)
        await shop.settled()
        assert.equal(await coins(), 0)
        assert.match(
          (await noticesOf(db.database, admin, 'payment_unclaimed'))[0] ?? '',
          /No coins were given/,
        )
        const found = await shop.ask(admin, 'GET', `/payments?q=${id}`)
        const [row] = found.body as unknown as [Record<string, unknown>]
        assert.deepEqual([row.unclaimed, row.coins, row.price], [true, 0, 10])
        await processor.refund(id)
        await shop.send(id, { type: 'charge.refunded' })
        await shop.settled()
        assert.deepEqual([await coins(), await debtOf(db.database, buyer)], [0, 0])
      },
    )

    story(
      'deleted and credited in the same moment: one is first, and no coin stays with nobody',
      async () => {
        const admin = await anAdmin(db.database)
        for (let round = 0; round < 6; round++) {
          buyer = await aBuyer(db.database)
          const id = await shop.payWell(buyer)
          await Promise.all([
            deleteUser(db.database, buyer.id, admin.id),
            shop.send(id),
            shop.confirm(buyer, id),
            shop.confirm(buyer, id),
          ])
          await shop.settled()
          assert.equal(await coins(), 0)
          assert.deepEqual(await purchasesOf(db.database, buyer), ['credited'])
        }
      },
    )

    for (const [title, scenario] of Object.entries(UNMATCHED))
      story(title, () => scenario({ database: db.database, processor, shop, buyer }))

    for (const [title, scenario] of Object.entries({
      ...CONTAINMENT,
      ...REFUNDS,
      ...DISPUTES,
      ...DISPUTE_FILES,
      ...CARD_LIMITS,
      ...SAVED_CARDS,
      ...TAX,
      ...DRILLS,
    }))
      story(title, () => scenario({ database: db.database, processor, shop, buyer }))

    story('payments are visible to their owner and Admins only', async () => {
      const admin = await anAdmin(db.database)
      const stranger = await aBuyer(db.database)
      const id = await shop.payWell(buyer)
      await shop.confirm(buyer, id)
      assert.equal((await shop.ask(stranger, 'GET', `/payment-history/${buyer.email}`)).status, 403)
      assert.equal((await shop.ask(stranger, 'GET', `/payments/${id}`)).status, 404)
      assert.equal((await shop.ask(stranger, 'GET', '/payments')).status, 403)
      assert.equal((await shop.ask(null, 'GET', `/payments/${id}`)).status, 401)
      assert.equal((await shop.ask(buyer, 'GET', `/payments/${id}`)).body.name, buyer.name)
      assert.equal((await shop.ask(admin, 'GET', `/payments/${id}`)).body.email, buyer.email)
      const byName = await shop.ask(
        admin,
        'GET',
        `/payments?q=${encodeURIComponent(buyer.email)}&status=Success`,
      )
      assert.equal((byName.body as unknown as unknown[]).length, 1)
    })
  })
}
