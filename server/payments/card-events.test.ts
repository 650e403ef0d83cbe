import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { useApi } from '#tests/support/api.ts'
import { atTime, later } from '#tests/support/clock.ts'
import { aBuyer } from '#tests/support/factories.ts'
import { purgePaymentData } from './card-events.ts'

describe('what payments keep for a time only', () => {
  const api = useApi()

  test('is deleted when its time is over, and the purchase stays', async () => {
    const { pool } = api.database
    const buyer = await aBuyer(api.database)
    const headers = { 'idempotency-key': 'a-purchase', 'user-agent': 'a browser' }
    const created = await api.as(buyer).post('/create-payment-intent', { price: 10 }, headers)
    assert.equal(created.status, 200, created.text)
    await pool.query(
      `insert into card_failures (minute, operation, kind, message) values (clock_time(), 'retrieve', 'timeout', '')`,
    )
    await pool.query(
      `insert into card_events (id, type, processed_at)
       values ('evt_processed', 'charge.refunded', clock_time()), ('evt_due', 'charge.refunded', null)`,
    )
    await pool.query(`insert into card_declines (id, user_id) values ('evt_processed', $1)`, [buyer.id])
    await pool.query(`insert into card_limit_hits (user_id, day) values ($1, clock_time()::date)`, [buyer.id])

    const stored = async () => {
      const { rows } = await pool.query<{ what: string }>(
        `select 'key' as what from purchase_keys union all select 'failure' from card_failures
         union all select id from card_events union all select 'decline' from card_declines
         union all select 'limit hit' from card_limit_hits union all select 'purchase' from purchases
         union all select 'client' from purchases where ip <> '' or user_agent <> ''`,
      )
      return rows.map(({ what }) => what).toSorted()
    }
    const OF_90_DAYS = ['decline', 'evt_processed', 'limit hit']
    const expected: [days: number, kept: string[]][] = [
      [6, ['client', ...OF_90_DAYS, 'evt_due', 'failure', 'key', 'purchase']],
      [8, ['client', ...OF_90_DAYS, 'evt_due', 'failure', 'purchase']],
      [15, ['client', ...OF_90_DAYS, 'evt_due', 'purchase']],
      [89, ['client', ...OF_90_DAYS, 'evt_due', 'purchase']],
      [92, ['client', 'evt_due', 'purchase']],
      [181, ['evt_due', 'purchase']],
    ]
    for (const [days, kept] of expected) {
      await atTime(api.url, later(new Date(), { days }), (database) =>
        purgePaymentData({ ...api.instance.context, database }),
      )
      assert.deepEqual(await stored(), kept.toSorted(), `after ${days} days`)
    }
  })
})
