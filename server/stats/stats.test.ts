import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { approveSubmission } from '#server/submissions/approve.ts'
import { rejectSubmission } from '#server/submissions/reject.ts'
import { deleteTask } from '#server/tasks/delete.ts'
import { useApi } from '#tests/support/api.ts'
import {
  aBuyer,
  anAdmin,
  aSubmission,
  aTask,
  aWorker,
  giveCoins,
  type TestUser,
} from '#tests/support/factories.ts'

describe('stats', () => {
  const api = useApi()
  const statsOf = async (person: TestUser) =>
    (await api.as(person).get(`/${person.role.toLowerCase()}-stats`)).body
  const WISH = { withdrawalCoin: 200, payment_system: 'Other', accountNumber: 'Cash at the office' }
  /** The package of this price, paid at the sandbox processor. */
  async function buyCoins(buyer: TestUser, price: number) {
    const { clientSecret } = (await api.as(buyer).post('/create-payment-intent', { price })).body
    const card = { number: '4242424242424242', expMonth: 12, expYear: 2099, cvc: '123' }
    const paid = (await api.anyone.post('/sandbox/confirm', { clientSecret, ...card })).body
    const { body } = await api.as(buyer).post('/payment-success', { transactionId: paid.transactionId })
    assert.equal(body.status, 'credited')
  }

  test('worker: submissions ever made, those pending, and earnings without starting coins', async () => {
    const buyer = await aBuyer(api.database, { coins: 1000 })
    const worker = await aWorker(api.database)
    const admin = await anAdmin(api.database)
    const submit = async (reward: number) =>
      aSubmission(api.database, await aTask(api.database, buyer, { reward, slots: 1 }), worker)
    await approveSubmission(api.database, await submit(250), buyer.id)
    await rejectSubmission(api.database, await submit(20), buyer.id, 'No')
    await submit(30)
    assert.deepEqual(await statsOf(worker), {
      allTask: 3,
      pendingTask: 1,
      totalEarning: 250,
      totalWithdrawn: 0,
    })
    const { body } = await api.as(worker).post(`/withdraw/${worker.email}`, WISH)
    assert.equal((await statsOf(worker)).totalWithdrawn, 0)
    await api.as(admin).patch(`/withdraw-status/${body.insertedId}`, { status: 'approved' })
    assert.equal((await statsOf(worker)).totalWithdrawn, 200)
  })

  test('buyer: tasks ever posted, slots open, coins paid; the wallet, reviews and escrow beside them', async () => {
    const buyer = await aBuyer(api.database, { coins: 1000 })
    const [first, second] = [await aWorker(api.database), await aWorker(api.database)]
    const open = await aTask(api.database, buyer, { reward: 10, slots: 5 })
    const gone = await aTask(api.database, buyer, { reward: 20, slots: 3 })
    await approveSubmission(api.database, await aSubmission(api.database, open, first), buyer.id)
    await aSubmission(api.database, open, second)
    await aSubmission(api.database, gone, first)
    await deleteTask(api.database, gone, buyer)
    assert.deepEqual(await statsOf(buyer), {
      totalTasks: 2,
      pendingWorkers: 3,
      totalPaid: 10,
      wallet: 100,
      pendingReviews: 2,
      inEscrow: 3 * 10 + 10 + 20,
    })
  })

  test('admin: people, coins and money, and every coin is somewhere; right after each change', async () => {
    const admin = await anAdmin(api.database)
    const before = await statsOf(admin)
    const buyer = await aBuyer(api.database, { coins: 1000 })
    const worker = await aWorker(api.database, { coins: 300 })
    const leaving = await aWorker(api.database)
    const task = await aTask(api.database, buyer, { reward: 10, slots: 5 })
    await approveSubmission(api.database, await aSubmission(api.database, task, worker), buyer.id)
    const paid = (await api.as(worker).post(`/withdraw/${worker.email}`, WISH)).body.insertedId
    await api.as(admin).patch(`/withdraw-status/${paid}`, { status: 'approved' })
    await giveCoins(api.database, worker.accountId, 200)
    await api.as(worker).post(`/withdraw/${worker.email}`, WISH)
    await api.as(admin).delete(`/delete-user/${leaving.id}`)
    await buyCoins(buyer, 10)

    const after = await statsOf(admin)
    const grown = (name: string) => after[name] - before[name]
    assert.deepEqual(['totalWorker', 'totalBuyer', 'totalCoin', 'totalPayments'].map(grown), [
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
      paidOutCents: books.paidOut * 5,
      coverCents: after.totalPayments * 100 - books.paidOut * 5 - outstanding * 5,
    })
  })

  test('thirty days for the chart of each role, today last', async () => {
    const admin = await anAdmin(api.database)
    const buyer = await aBuyer(api.database, { coins: 1000 })
    const worker = await aWorker(api.database)
    const task = await aTask(api.database, buyer, { reward: 70, slots: 1 })
    const series = async (person: TestUser) => (await api.as(person).get('/stats/series')).body
    const paidBefore = (await series(admin)).at(-1).coins
    await approveSubmission(api.database, await aSubmission(api.database, task, worker), buyer.id)
    const today = (await api.anyone.get('/site')).body.today
    for (const person of [worker, buyer]) {
      const days = await series(person)
      assert.equal(days.length, 30)
      assert.deepEqual(days.at(-1), { day: today, coins: 70, dollars: 0 })
      assert.ok(days.slice(0, -1).every(({ coins }: { coins: number }) => coins === 0))
    }
    assert.equal((await series(admin)).at(-1).coins - paidBefore, 70)
  })

  test('each endpoint is for its role', async () => {
    const [worker, buyer] = [await aWorker(api.database), await aBuyer(api.database)]
    assert.equal((await api.as(worker).get('/admin-stats')).status, 403)
    assert.equal((await api.as(buyer).get('/worker-stats')).status, 403)
    assert.equal((await api.as(worker).get('/buyer-stats')).status, 403)
  })
})
