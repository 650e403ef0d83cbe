import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { SCHEDULE_DAYS_MAX } from '#contract/task-drafts.ts'
import type { Config } from '#server/config.ts'
import { useApi } from '#tests/support/api.ts'
import { aCheckedBatch, type TestBatch } from '#tests/support/batches.ts'
import { atTime, later } from '#tests/support/clock.ts'
import {
  aBuyer,
  anAdmin,
  atOnce,
  balanceOf,
  dayFromNow,
  type TestUser,
  testConfig,
} from '#tests/support/factories.ts'
import { expectValidNotifications } from '#tests/support/notifications.ts'
import { purgeUnpaidBatches } from './check.ts'
import { beginFunding, fundDueBatches } from './fund.ts'
import { fundScheduledBatches, scheduleBatch } from './scheduled.ts'

const tomorrow = later(new Date(), { days: 1 }).toISOString()
const onTime = later(new Date(), { days: 1, minutes: 1 })
const inDays = (days: number) => later(new Date(), { days })
const PAYABLE: { items: number; coins?: number } = { items: 3 }
const TOO_EXPENSIVE = { items: 20, coins: 0 }

describe('scheduled payment of batches', () => {
  const api = useApi()
  const schedule = ({ buyer, id, total }: TestBatch, change: object = {}) =>
    api.as(buyer).put(`/batches/${id}/schedule`, {
      scheduled: { postAt: tomorrow, completion_date: dayFromNow(7), total, ...change },
    })
  const cancelSchedule = ({ buyer, id }: TestBatch) =>
    api.as(buyer).put(`/batches/${id}/schedule`, { scheduled: null })
  async function aScheduledBatch(options = PAYABLE): Promise<TestBatch> {
    const batch = await aCheckedBatch(api.database, options)
    const set = await schedule(batch)
    assert.equal(set.status, 200, set.text)
    return batch
  }
  const run = (config: Config = testConfig, moment = onTime) =>
    atTime(api.url, moment, async (database) => {
      await atOnce(4, () => fundScheduledBatches(database, config))
      await atOnce(4, () => fundDueBatches(database, config))
    })
  const stateOf = async ({ buyer, id }: TestBatch) => (await api.as(buyer).get(`/batches/${id}`)).body
  async function purgedAt(batch: TestBatch, moment: Date): Promise<boolean> {
    await atTime(api.url, moment, purgeUnpaidBatches)
    return (await api.as(batch.buyer).get(`/batches/${batch.id}`)).status === 404
  }
  const cancelAt = ({ buyer, id }: TestBatch, moment: Date) =>
    atTime(api.url, moment, (database) => scheduleBatch(database, testConfig, id, buyer.id, null))
  const notificationsOf = async ({ id }: TestUser) => {
    const { rows } = await api.database.pool.query(
      'select kind, params, ref from notifications where user_id = $1 order by id',
      [id],
    )
    return rows.map(({ kind, params, ref }) => [kind, params, ref])
  }

  test('a batch is paid at its time and not before, whole and once, however many instances pay it', async () => {
    const batch = await aScheduledBatch()
    const { buyer, id, total } = batch
    const before = await balanceOf(api.database, buyer)
    assert.deepEqual((await stateOf(batch)).scheduled, {
      postAt: tomorrow,
      completion_date: dayFromNow(7),
      total,
    })
    await fundScheduledBatches(api.database, testConfig)
    await fundDueBatches(api.database, testConfig)
    assert.deepEqual(
      [(await stateOf(batch)).state, await balanceOf(api.database, buyer)],
      ['checked', before],
    )

    await run()
    await run()
    const { state, scheduled, completionDate } = await stateOf(batch)
    assert.deepEqual([state, scheduled, completionDate], ['open', null, dayFromNow(7)])
    assert.equal(await balanceOf(api.database, buyer), before - total)
    const params = { title: 'Name the kind of a shop', file: 'shops.csv', coins: total }
    assert.deepEqual(await notificationsOf(buyer), [['scheduled_batch_posted', params, id]])
    await expectValidNotifications(api.database)
  })

  test('without the coins nothing moves: the batch stays with the reason, and its buyer is notified once', async () => {
    const batch = await aScheduledBatch(TOO_EXPENSIVE)
    const before = await balanceOf(api.database, batch.buyer)
    await run()
    await run()
    const { state, scheduled, fundingRefusal, taskId } = await stateOf(batch)
    assert.deepEqual([state, scheduled, taskId], ['checked', null, null])
    assert.match(fundingRefusal, /coin/i)
    assert.equal(await balanceOf(api.database, batch.buyer), before)
    const reason = { key: 'insufficient_coins', params: {} }
    assert.deepEqual(await notificationsOf(batch.buyer), [
      ['scheduled_batch_failed', { title: 'Name the kind of a shop', file: 'shops.csv', reason }, batch.id],
    ])
    await expectValidNotifications(api.database)
    assert.equal((await schedule(batch)).body.fundingRefusal, null)
  })

  test('another cost than the one agreed to is not paid, nor is a batch of a Worker or a deleted user', async () => {
    const [repriced, demoted] = [await aScheduledBatch(), await aScheduledBatch()]
    const deleted = await aScheduledBatch()
    await api.owner.query(`update users set role = 'Worker' where id = $1`, [demoted.buyer.id])
    await api.as(await anAdmin(api.database)).delete(`/delete-user/${deleted.buyer.id}`)
    await run({ ...testConfig, taskFeePercent: 10 })
    const reasonsOf = async (batch: TestBatch) =>
      (await notificationsOf(batch.buyer)).map(([kind, { reason }]) => [kind, reason.key])
    assert.deepEqual(await reasonsOf(repriced), [['scheduled_batch_failed', 'invalid_fields.batch_cost']])
    assert.deepEqual(await reasonsOf(demoted), [['scheduled_batch_failed', 'role_not_allowed']])
    assert.deepEqual(await reasonsOf(deleted), [])
    const { rows } = await api.database.pool.query('select state, post_at from batches where id = any ($1)', [
      [repriced, demoted, deleted].map(({ id }) => id),
    ])
    assert.deepEqual(rows, Array(3).fill({ state: 'checked', post_at: null }))
  })

  test('a schedule that was cancelled or moved does not pay, and a batch that is paid by hand is paid once', async () => {
    const [cancelled, deleted, moved, byHand] = await Promise.all([
      aScheduledBatch(),
      aScheduledBatch(),
      aScheduledBatch(),
      aScheduledBatch(),
    ])
    assert.equal((await cancelSchedule(cancelled)).body.scheduled, null)
    await api.as(deleted.buyer).post(`/batches/${deleted.id}/cancel`)
    await schedule(moved, { postAt: later(new Date(), { days: 2 }).toISOString() })
    const body = { completion_date: dayFromNow(3), total: byHand.total }
    assert.equal((await api.as(byHand.buyer).post(`/batches/${byHand.id}/funding`, body)).status, 202)
    await run()
    const states = await Promise.all([cancelled, deleted, moved, byHand].map(stateOf))
    assert.deepEqual(
      states.map(({ state }) => state),
      ['checked', 'cancelled', 'checked', 'open'],
    )
    assert.equal(states[3].completionDate, dayFromNow(3))
    assert.deepEqual(await notificationsOf(byHand.buyer), [])
    assert.equal((await schedule(byHand)).body.error.code, 'state_conflict')
  })

  test('the file of a scheduled batch is kept, and after a failed payment for as long as one that is new', async () => {
    const batch = await aCheckedBatch(api.database, TOO_EXPENSIVE)
    await schedule(batch, { postAt: inDays(20).toISOString(), completion_date: dayFromNow(30) })
    assert.equal(await purgedAt(batch, inDays(15)), false)
    await run(testConfig, inDays(21))
    assert.equal((await stateOf(batch)).scheduled, null)
    assert.equal(await purgedAt(batch, inDays(27)), false)
    assert.equal(await purgedAt(batch, inDays(29)), true)
  })

  test('the file of a batch whose schedule was cancelled is kept for as long as one that is new', async () => {
    const batch = await aCheckedBatch(api.database, PAYABLE)
    await schedule(batch, { postAt: inDays(20).toISOString(), completion_date: dayFromNow(30) })
    await cancelAt(batch, inDays(10))
    assert.equal((await stateOf(batch)).scheduled, null)
    // Nothing is left to cancel.
    await cancelAt(batch, inDays(16))
    assert.equal(await purgedAt(batch, inDays(16)), false)
    assert.equal(await purgedAt(batch, inDays(18)), true)
  })

  test('a scheduled batch that is paid by hand without the coins is kept, and its buyer is notified once', async () => {
    const batch = await aCheckedBatch(api.database, TOO_EXPENSIVE)
    const { buyer, id, total } = batch
    await schedule(batch, { postAt: inDays(20).toISOString(), completion_date: dayFromNow(30) })
    await atTime(api.url, inDays(10), async (database) => {
      await beginFunding(database, testConfig, id, buyer.id, { completion_date: dayFromNow(30), total })
      await atOnce(4, () => fundDueBatches(database, testConfig))
    })
    const { state, scheduled, fundingRefusal } = await stateOf(batch)
    assert.deepEqual([state, scheduled], ['checked', null])
    assert.match(fundingRefusal, /coin/i)
    assert.equal(await purgedAt(batch, inDays(16)), false)
    const reason = { key: 'insufficient_coins', params: {} }
    assert.deepEqual(await notificationsOf(buyer), [
      ['scheduled_batch_failed', { title: 'Name the kind of a shop', file: 'shops.csv', reason }, id],
    ])
    assert.equal(await purgedAt(batch, inDays(18)), true)
  })

  test('what cannot be paid is not scheduled', async () => {
    const batch = await aCheckedBatch(api.database, { items: 2 })
    const failed = await aCheckedBatch(api.database, { items: 2 })
    await api.owner.query('update batches set errors = 1 where id = $1', [failed.id])
    const timeIn = (change: { days?: number; minutes?: number }) => later(new Date(), change).toISOString()
    const refusals = [
      [await schedule(failed), 'state_conflict'],
      [await schedule(batch, { total: batch.total - 1 }), 'invalid_fields'],
      [await schedule(batch, { postAt: timeIn({ minutes: -1 }) }), 'invalid_fields'],
      [await schedule(batch, { postAt: timeIn({ days: SCHEDULE_DAYS_MAX + 1 }) }), 'invalid_fields'],
      [await schedule(batch, { postAt: timeIn({ days: 9 }) }), 'deadline_passed'],
      [await schedule({ ...batch, buyer: await aBuyer(api.database) }), 'not_found'],
    ] as const
    assert.deepEqual(
      refusals.map(([response]) => response.body.error.code),
      refusals.map(([, code]) => code),
    )
    assert.equal((await stateOf(batch)).scheduled, null)
  })
})
