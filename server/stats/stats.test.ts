import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { approveSubmission } from '#server/submissions/approve.ts'
import { rejectSubmission } from '#server/submissions/reject.ts'
import { deleteTask } from '#server/tasks/delete.ts'
import { reserveSlot } from '#server/tasks/reserve.ts'
import { deleteUser } from '#server/users/delete.ts'
import { useApi } from '#tests/support/api.ts'
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
      totalSubmissions: 3,
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
