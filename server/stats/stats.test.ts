import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { openDatabase } from '#server/database/database.ts'
import { approveSubmission } from '#server/submissions/approve.ts'
import { rejectSubmission } from '#server/submissions/reject.ts'
import { deleteTask } from '#server/tasks/delete.ts'
import { reserveSlot } from '#server/tasks/reserve.ts'
import { deleteUser } from '#server/users/delete.ts'
import { useApi } from '#tests/support/api.ts'
import { LONG_TIMEOUTS } from '#tests/support/database.ts'
import { eventually } from '#tests/support/eventually.ts'
import {
  aBuyer,
  anAdmin,
  aSubmission,
  aTask,
  aWorker,
  giveCoins,
  noAppeals,
  type TestUser,
  testConfig,
} from '#tests/support/factories.ts'
import { aPayment, reverse } from '#tests/support/receipts.ts'
import { coinFlowByDay, earnedByDay } from './queries.ts'

describe('stats', () => {
  const api = useApi()
  const statsOf = async (user: TestUser) => (await api.as(user).get(`/${user.role.toLowerCase()}-stats`)).body
  const WITHDRAWAL = { withdrawalCoin: 200, payment_system: 'Other', accountNumber: 'Cash at the office' }
  /** Buys the package of this price with the card sandbox. */
  async function buyCoins(buyer: TestUser, price: number) {
    const { clientSecret } = (await api.as(buyer).post('/create-payment-intent', { price })).body
    const card = { number: '4242424242424242', expMonth: 12, expYear: 2099, cvc: '123' }
    const paid = (await api.anyone.post('/sandbox/confirm', { clientSecret, ...card })).body
    const { body } = await api.as(buyer).post('/payment-success', { transactionId: paid.transactionId })
    assert.equal(body.status, 'credited')
  }

  test('worker stats count all submissions, pending ones, and earnings without starting coins', async () => {
    const buyer = await aBuyer(api.database, { coins: 1000 })
    const worker = await aWorker(api.database)
    const admin = await anAdmin(api.database)
    const submit = async (reward: number) =>
      aSubmission(api.database, await aTask(api.database, buyer, { reward, slots: 1 }), worker)
    await approveSubmission(api.database, await submit(250), buyer.id)
    await rejectSubmission(api.database, noAppeals, await submit(20), buyer.id, { reason: 'No' })
    await submit(30)
    assert.deepEqual(await statsOf(worker), {
      allTask: 3,
      pendingTask: 1,
      totalEarning: 250,
      totalWithdrawn: 0,
      withdrawnDollars: 0,
    })
    const { body } = await api.as(worker).post(`/withdraw/${worker.email}`, WITHDRAWAL)
    assert.equal((await statsOf(worker)).totalWithdrawn, 0)
    await api.as(admin).patch(`/withdraw-status/${body.insertedId}`, { status: 'approved' })
    assert.equal((await statsOf(worker)).totalWithdrawn, 200)
  })

  test('buyer stats count all tasks, open slots, coins paid, the wallet, pending reviews and escrow', async () => {
    const buyer = await aBuyer(api.database, { coins: 1000 })
    const [first, second] = [await aWorker(api.database), await aWorker(api.database)]
    const open = await aTask(api.database, buyer, { reward: 10, slots: 5 })
    const closed = await aTask(api.database, buyer, { reward: 20, slots: 3 })
    await approveSubmission(api.database, await aSubmission(api.database, open, first), buyer.id)
    await aSubmission(api.database, open, second)
    await aSubmission(api.database, closed, first)
    await deleteTask(api.database, closed, buyer)
    assert.deepEqual(await statsOf(buyer), {
      totalTasks: 2,
      pendingWorkers: 3,
      totalPaid: 10,
      wallet: 100,
      pendingReviews: 2,
      inEscrow: 3 * 10 + 10 + 20,
    })
  })

  test('buyer stats count reserved slots, whose pay stays in escrow when the task is closed', async () => {
    const buyer = await aBuyer(api.database, { coins: 1000 })
    const task = await aTask(api.database, buyer, { reward: 10, slots: 5 })
    const closed = await aTask(api.database, buyer, { reward: 20, slots: 3 })
    for (const taskId of [task, task, closed])
      await reserveSlot(api.database, testConfig, taskId, (await aWorker(api.database)).id)
    await deleteTask(api.database, closed, buyer)
    const { pendingWorkers, inEscrow } = await statsOf(buyer)
    assert.deepEqual([pendingWorkers, inEscrow], [5, 5 * 10 + 20])
  })

  test('admin stats count users, coins and money, account for every coin, and are up to date', async () => {
    const admin = await anAdmin(api.database)
    const before = await statsOf(admin)
    const buyer = await aBuyer(api.database, { coins: 1000 })
    const worker = await aWorker(api.database, { coins: 300 })
    const deleted = await aWorker(api.database)
    const task = await aTask(api.database, buyer, { reward: 10, slots: 5 })
    await approveSubmission(api.database, await aSubmission(api.database, task, worker), buyer.id)
    const paid = (await api.as(worker).post(`/withdraw/${worker.email}`, WITHDRAWAL)).body.insertedId
    await api.as(admin).patch(`/withdraw-status/${paid}`, { status: 'approved' })
    await giveCoins(api.database, worker.accountId, 200)
    await api.as(worker).post(`/withdraw/${worker.email}`, WITHDRAWAL)
    await api.as(admin).delete(`/delete-user/${deleted.id}`)
    await buyCoins(buyer, 10)

    const after = await statsOf(admin)
    const increase = (name: string) => after[name] - before[name]
    assert.deepEqual(['totalWorker', 'totalBuyer', 'totalCoin', 'totalPayments'].map(increase), [
      1,
      1,
      1150 + 120,
      10,
    ])
    const { books, solvency } = after
    assert.equal(books.difference, 0)
    assert.equal(books.inEscrow - before.books.inEscrow, 40)
    assert.equal(books.onHold - before.books.onHold, 200)
    assert.equal(books.paidOut - before.books.paidOut, 200)
    assert.equal(books.sweptToHouse - before.books.sweptToHouse, 10)
    assert.equal(
      books.issuedAsBonus + books.boughtByCard,
      after.totalCoin + books.inEscrow + books.onHold + books.paidOut + books.sweptToHouse,
    )
    const outstanding = after.totalCoin + books.inEscrow + books.onHold
    assert.deepEqual(solvency, {
      coinsOutstanding: outstanding,
      owedCents: outstanding * 5,
      receivedCents: after.totalPayments * 100,
      unmatchedCents: 0,
      feeCents: 0,
      taxCents: 0,
      paidOutCents: books.paidOut * 5,
      coverCents: after.totalPayments * 100 - books.paidOut * 5 - outstanding * 5,
    })
  })

  test('the chart of each role has thirty days, today last', async () => {
    const admin = await anAdmin(api.database)
    const buyer = await aBuyer(api.database, { coins: 1000 })
    const worker = await aWorker(api.database)
    const task = await aTask(api.database, buyer, { reward: 70, slots: 1 })
    const series = async (user: TestUser) => (await api.as(user).get('/stats/series')).body
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

  test("a refund lowers the Admin's total and chart alike, and leaves the gross beside them", async () => {
    const admin = await anAdmin(api.database)
    const buyer = await aBuyer(api.database)
    const totals = async () => {
      const { totalPayments, grossPayments } = await statsOf(admin)
      const today = (await api.as(admin).get('/stats/series')).body.at(-1)
      return [totalPayments, today.dollars, grossPayments, today.grossDollars]
    }
    const before = await totals()
    const increase = async () => (await totals()).map((value, index) => value - (before[index] ?? 0))
    await buyCoins(buyer, 20)
    assert.deepEqual(await increase(), [20, 20, 20, 20])
    const [payment] = (await api.as(buyer).get(`/payment-history/${buyer.email}`)).body
    await api
      .as(admin)
      .post('/sandbox/reverse', { transactionId: payment.transactionId, kind: 'refund', amount: 5 })
    await eventually(async () => (await totals())[0] === (before[0] ?? 0) + 15)
    assert.deepEqual(await increase(), [15, 15, 20, 20])
  })

  test('the payment of a deleted buyer does not cover anything, whether it is returned or not', async () => {
    const admin = await anAdmin(api.database)
    const buyer = await aBuyer(api.database)
    await deleteUser(api.database, buyer.id, admin.id)
    const solvency = async () => (await statsOf(admin)).solvency
    const before = await solvency()
    const payment = await aPayment(api.database, buyer)
    const unclaimed = {
      receivedCents: before.receivedCents + 1000,
      unmatchedCents: before.unmatchedCents + 1000,
    }
    assert.deepEqual(await solvency(), { ...before, ...unclaimed })
    await reverse(api.database, payment, 1000)
    assert.deepEqual(await solvency(), before)
  })

  test('each endpoint is available to its role only', async () => {
    const [worker, buyer] = [await aWorker(api.database), await aBuyer(api.database)]
    assert.equal((await api.as(worker).get('/admin-stats')).status, 403)
    assert.equal((await api.as(buyer).get('/worker-stats')).status, 403)
    assert.equal((await api.as(worker).get('/buyer-stats')).status, 403)
  })
})

describe('the first steps of a new marketplace', () => {
  const api = useApi()

  test('are done one by one, and shown to Admins only', async () => {
    const admin = await anAdmin(api.database)
    const done = async () => (await api.as(admin).get('/admin-first-steps')).body
    const none = { seller: false, exchangeRate: false, secondAdmin: false, payoutRules: false }
    assert.deepEqual(await done(), { cardPayments: false, ...none, backupAt: null })
    const change = async (name: string, value: object) => {
      const { body } = await api.as(admin).get('/operator-settings')
      const { version, value: before } = body.find((setting: { name: string }) => setting.name === name)
      const changed = { value: { ...before, ...value }, version, reason: 'First steps' }
      assert.equal((await api.as(admin).put(`/operator-settings/${name}`, changed)).status, 200)
    }
    await change('seller', { legalName: 'Tally Ltd' })
    await change('payout_rules', { twoPersonAboveCents: 5000 })
    await anAdmin(api.database)
    const rate = { rate: '122.5', source: 'Bangladesh Bank', hours: 24 }
    assert.ok((await api.as(admin).post('/exchange-rates', rate)).status < 300)
    await api.owner.query('insert into last_backup default values')
    const { backupAt, ...steps } = await done()
    assert.deepEqual(steps, {
      cardPayments: false,
      seller: true,
      exchangeRate: true,
      secondAdmin: true,
      payoutRules: true,
    })
    assert.ok(Date.parse(backupAt))
    assert.equal((await api.as(await aWorker(api.database)).get('/admin-first-steps')).status, 403)
  })
})

describe('coins by week, by category, by task and by day', () => {
  const api = useApi()

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

    const today = async (user: TestUser) => (await api.as(user).get('/stats/series')).body.at(-1).coins
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
      { _id: large, title: 'Label photos', buyer: buyer.name, coins: 57, pieces: 1 },
      { _id: small, title: 'Survey of shops', buyer: buyer.name, coins: 5, pieces: 1 },
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
    })
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
