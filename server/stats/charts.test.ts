import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { openDatabase } from '#server/database/database.ts'
import { approveSubmission } from '#server/submissions/approve.ts'
import { useApi } from '#tests/support/api.ts'
import { LONG_TIMEOUTS } from '#tests/support/database.ts'
import {
  aBuyer,
  anAdmin,
  aSubmission,
  aTask,
  aWorker,
  type TestUser,
  testConfig,
} from '#tests/support/factories.ts'
import { coinFlowByDay, earnedByDay } from './queries.ts'

describe('coins by week, by category, by task and by day', () => {
  const api = useApi()
  const series = async (user: TestUser) => (await api.as(user).get('/stats/series')).body

  test('the chart of each role has thirty days, today last', async () => {
    const admin = await anAdmin(api.database)
    const buyer = await aBuyer(api.database, { coins: 1000 })
    const worker = await aWorker(api.database)
    const task = await aTask(api.database, buyer, { reward: 70, slots: 1 })
    const paidBefore = (await series(admin)).at(-1).coins
    await approveSubmission(api.database, await aSubmission(api.database, task, worker), buyer.id)
    const today = (await api.anyone.get('/site')).body.today
    for (const user of [worker, buyer]) {
      const days = await series(user)
      assert.equal(days.length, 30)
      assert.deepEqual(days.at(-1), { day: today, coins: 70, dollars: 0, grossDollars: 0 })
      assert.ok(days.slice(0, -1).every(({ coins }: { coins: number }) => coins === 0))
    }
    assert.equal((await series(admin)).at(-1).coins - paidBefore, 70)
  })

  test('charts have every day up to today in a session whose time zone has days without midnight', async () => {
    const { id } = await aWorker(api.database)
    const { today } = (await api.anyone.get('/site')).body
    const inCairo = openDatabase(
      { connectionString: api.url, options: '-c timezone=Africa/Cairo', ...LONG_TIMEOUTS },
      { max: 1, prepare: true },
    )
    try {
      const charts = [
        await earnedByDay(inCairo, testConfig.timeZone, 1000, id),
        await coinFlowByDay(inCairo, testConfig.timeZone, 1000),
      ]
      for (const days of charts) {
        assert.equal(days.length, 1000)
        assert.equal(days.at(-1)?.day, today)
      }
    } finally {
      await inCairo.close()
    }
  })

  test('a worker and a buyer see the coins of today, of each week, category and task, bonuses included', async () => {
    const buyer = await aBuyer(api.database, { coins: 1000 })
    const [worker, other] = [await aWorker(api.database), await aWorker(api.database)]
    const large = await aTask(api.database, buyer, {
      reward: 50,
      slots: 3,
      title: 'Label photos',
    })
    const small = await aTask(api.database, buyer, {
      reward: 5,
      slots: 1,
      title: 'Survey of shops',
    })
    const paid = await aSubmission(api.database, large, worker)
    await approveSubmission(api.database, paid, buyer.id)
    await approveSubmission(api.database, await aSubmission(api.database, large, other), buyer.id)
    await approveSubmission(api.database, await aSubmission(api.database, small, worker), buyer.id)
    await api.as(buyer).post(`/submissions/${paid}/bonus`, { coins: 7, message: 'Thank you' })

    const today = async (user: TestUser) => (await series(user)).at(-1).coins
    assert.deepEqual([await today(worker), await today(other), await today(buyer)], [62, 50, 112])

    const weeksOf = async (user: TestUser) => (await api.as(user).get('/stats/weeks')).body
    const earned = await weeksOf(worker)
    assert.equal(earned.weeks.length, 12)
    for (const { from } of earned.weeks) assert.equal(new Date(`${from}T00:00:00Z`).getUTCDay(), 0, from)
    assert.deepEqual(
      earned.weeks.map(({ coins }: { coins: number }) => coins),
      [...Array(11).fill(0), 62],
    )
    assert.deepEqual(earned.tasks, [
      { _id: large, title: 'Label photos', buyer: buyer.name, coins: 57, pieces: 1, isDeleted: false },
      { _id: small, title: 'Survey of shops', buyer: buyer.name, coins: 5, pieces: 1, isDeleted: false },
    ])
    assert.deepEqual(earned.categories, [
      { category: 'labeling', coins: 57, pieces: 1 },
      { category: 'survey', coins: 5, pieces: 1 },
    ])
    const spent = await weeksOf(buyer)
    assert.deepEqual(spent.categories, [
      { category: 'labeling', coins: 107, pieces: 2 },
      { category: 'survey', coins: 5, pieces: 1 },
    ])
    assert.equal(spent.weeks.at(-1).coins, 112)
    assert.deepEqual(spent.tasks[0], {
      _id: large,
      title: 'Label photos',
      buyer: buyer.name,
      coins: 107,
      pieces: 2,
      isDeleted: false,
    })
    assert.equal((await api.as(buyer).delete(`/delete-task/${small}`)).status, 200)
    assert.deepEqual(
      (await weeksOf(worker)).tasks.map(({ isDeleted }: { isDeleted: boolean }) => isDeleted),
      [false, true],
    )
    assert.equal((await api.as(await anAdmin(api.database)).get('/stats/weeks')).status, 403)
  })

  test('a week counts until the end of its Saturday, and older ones are left out', async () => {
    const buyer = await aBuyer(api.database, { coins: 1000 })
    const worker = await aWorker(api.database)
    const task = await aTask(api.database, buyer, { reward: 10, slots: 5 })
    const submission = await aSubmission(api.database, task, worker)
    await approveSubmission(api.database, submission, buyer.id)
    const weeksWith = async (sql: string) => {
      await api.owner.query(`update submissions set decided_at = ${sql} where id = $1`, [submission])
      const { weeks } = (await api.as(worker).get('/stats/weeks')).body
      return weeks.map(({ coins }: { coins: number }) => coins)
    }
    const sunday = `(date_trunc('week', (now() at time zone 'Asia/Dhaka')::date + 1)::date - 1)::timestamp at time zone 'Asia/Dhaka'`
    assert.deepEqual(await weeksWith(sunday), [...Array(11).fill(0), 10])
    assert.deepEqual(await weeksWith(`${sunday} - interval '1 second'`), [...Array(10).fill(0), 10, 0])
    assert.deepEqual(await weeksWith(`${sunday} - interval '77 days'`), [10, ...Array(11).fill(0)])
    assert.deepEqual(await weeksWith(`${sunday} - interval '77 days 1 second'`), Array(12).fill(0))
  })

  test('coins held by day follow from those in and out, and end with those of the books', async () => {
    const admin = await anAdmin(api.database)
    await aBuyer(api.database, { coins: 300 })
    const { body: flow } = await api.as(admin).get('/stats/coin-flow')
    assert.equal(flow.length, 30)
    for (const [index, { held, coinsIn, coinsOut }] of flow.entries())
      if (index > 0) assert.equal(held, flow[index - 1].held + coinsIn - coinsOut)
    const { totalCoin, books } = (await api.as(admin).get('/admin-stats')).body
    assert.equal(flow.at(-1).held, totalCoin + books.inEscrow + books.onHold)
    assert.ok(flow.at(-1).coinsIn > 0)
    assert.equal((await api.as(await aWorker(api.database)).get('/stats/coin-flow')).status, 403)
  })
})
