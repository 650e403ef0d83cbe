import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { describe, test } from 'node:test'
import { relay } from '#server/notifications/relay.ts'
import { approveSubmission } from '#server/submissions/approve.ts'
import { rejectSubmission } from '#server/submissions/reject.ts'
import { deleteTask } from '#server/tasks/delete.ts'
import { requestWithdrawal } from '#server/withdrawals/request.ts'
import { useApi } from '#tests/support/api.ts'
import { appeal, defend, reject } from '#tests/support/appeals.ts'
import {
  aBuyer,
  anAdmin,
  aPendingSubmission,
  aSubmission,
  aTask,
  atOnce,
  aWorker,
  balanceOf,
  noAppeals,
  outcomes,
  type TestUser,
  testConfig,
} from '#tests/support/factories.ts'
import { deleteUser } from './delete.ts'

describe('delete user', () => {
  const api = useApi()
  const balance = (user: TestUser) => balanceOf(api.database, user)
  const remove = (admin: TestUser, id: string) => api.as(admin).delete(`/delete-user/${id}`)
  const withdraw = (worker: TestUser) =>
    requestWithdrawal(
      api.database,
      testConfig,
      worker,
      { coins: 200, system: 'Bkash', accountNumber: '01712345678' },
      {},
    )
  const sweptCoinsOf = async (user: TestUser) => {
    const { rows } = await api.database.pool.query(
      `select amount from ledger_transfers where kind = 'swept_to_platform' and ref = $1`,
      [user.id],
    )
    return Number(rows[0]?.amount ?? 0)
  }
  const previewOf = async (admin: TestUser, id: string) =>
    (await api.as(admin).get(`/delete-user/${id}/preview`)).body

  test('deleting a buyer closes tasks, pays pending work and sweeps the rest to the platform account, as previewed', async () => {
    const admin = await anAdmin(api.database)
    const { buyer, worker, taskId } = await aPendingSubmission(api.database, { reward: 10, slots: 3 })
    const second = await aTask(api.database, buyer, { reward: 5, slots: 2 })
    await deleteTask(api.database, second, buyer)
    const preview = await previewOf(admin, buyer.id)
    assert.deepEqual(preview, {
      tasksClosed: 1,
      reservationsCancelled: 0,
      submissionsPaid: 1,
      coinsPaid: 10,
      slotsReleased: 0,
      withdrawalsCancelled: 0,
      coinsSwept: 50 + 20,
    })

    const { status, body } = await remove(admin, buyer.id)
    assert.equal(status, 200)
    assert.deepEqual(body, { acknowledged: true, deletedCount: 1 })
    assert.equal(await balance(worker), 20)
    assert.equal(await sweptCoinsOf(buyer), preview.coinsSwept)
    assert.equal((await remove(admin, buyer.id)).body.deletedCount, 0)

    const task = (await api.as(worker).get(`/task-datails/${taskId}`)).body
    assert.equal(task.isClosed, true)
    const notifications = (await api.as(worker).get(`/notifications/${worker.email}`)).body
    assert.match(
      notifications[0].message,
      /The account of the buyer of .* was deleted, so your work was paid\. You earned 10 coins\./,
    )
  })

  test('deleting a worker releases slots, cancels withdrawals and keeps approved work paid', async () => {
    const admin = await anAdmin(api.database)
    const { buyer, worker, taskId, submissionId } = await aPendingSubmission(api.database)
    const closed = await aTask(api.database, buyer, { reward: 20, slots: 1 })
    await aSubmission(api.database, closed, worker)
    await deleteTask(api.database, closed, buyer)
    const paid = await aTask(api.database, buyer, { reward: 25, slots: 1 })
    await approveSubmission(api.database, await aSubmission(api.database, paid, worker), buyer.id)
    const before = await balance(buyer)
    await api.database.pool.query(`select transfer('coins_bought', $1, card_clearing_account(), $2, 300)`, [
      randomUUID(),
      worker.accountId,
    ])
    await withdraw(worker)

    const preview = await previewOf(admin, worker.id)
    assert.equal(preview.slotsReleased, 2)
    assert.equal(preview.withdrawalsCancelled, 1)
    assert.equal(preview.coinsSwept, 10 + 25 + 300)
    assert.equal((await remove(admin, worker.id)).body.deletedCount, 1)
    assert.equal(await sweptCoinsOf(worker), preview.coinsSwept)
    assert.equal((await api.as(buyer).get(`/task-datails/${taskId}`)).body.worker, 3)
    assert.equal(await balance(buyer), before + 20)
    assert.equal((await api.as(admin).get(`/withdraw/${worker.email}`)).body[0].status, 'cancelled')
    const { good, codes } = outcomes(
      await atOnce(1, () => approveSubmission(api.database, submissionId, buyer.id)),
    )
    assert.deepEqual([good, codes], [0, ['already_decided']])
    const [notification] = (await api.as(buyer).get(`/notifications/${buyer.email}`)).body
    assert.match(notification.message, /'s account was deleted\. The coins of the slot they held/)
  })

  for (const party of ['buyer', 'worker'] as const)
    test(`the reviewer of work of a deleted ${party} gets an event`, async () => {
      const admin = await anAdmin(api.database)
      const made = await aPendingSubmission(api.database)
      await reject(api.database, made.submissionId, made.buyer)
      await appeal(api.database, made.submissionId, made.worker)
      await defend(api.database, made.submissionId, made.buyer)
      await api.owner.query('delete from outbox')
      assert.equal((await remove(admin, made[party].id)).status, 200)
      const { rows } = await api.owner.query(
        `select count(*)::int as events from outbox join reviews on reviewer_id = user_id
          where submission_id = $1 and payload ->> 'topic' = 'submissions'`,
        [made.submissionId],
      )
      assert.equal(rows[0].events, 1)
    })

  for (const party of ['buyer', 'worker'] as const)
    test(`open pages get an event about the tasks of a deleted ${party}`, async () => {
      const admin = await anAdmin(api.database)
      const buyer = await aBuyer(api.database)
      const task = await aTask(api.database, buyer, { slots: 3 })
      const worker = await aWorker(api.database)
      await aSubmission(api.database, task, worker)
      await relay(api.database, async () => {})
      const { rows: before } = await api.owner.query('select seq from live_sequence')
      assert.equal((await remove(admin, { buyer, worker }[party].id)).status, 200)
      await relay(api.database, async () => {})
      const { rows } = await api.owner.query(
        'select body from live_events where seq > $1 and user_id is null',
        [before[0].seq],
      )
      assert.deepEqual(
        rows.flatMap(({ body }) => body.tasks.map(({ _id }: { _id: string }) => _id)),
        [task],
      )
    })

  test('the token of a deleted user is rejected, and the lists do not contain the user', async () => {
    const admin = await anAdmin(api.database)
    const worker = await aWorker(api.database, { coins: 1000 })
    assert.equal((await api.as(worker).get('/worker-stats')).status, 200)
    const listed = async () =>
      JSON.stringify([
        (await api.anyone.get('/top-workers')).body,
        (await api.anyone.get('/get-all-user')).body,
      ])
    assert.ok((await listed()).includes(worker.id))
    await remove(admin, worker.id)
    assert.equal((await api.as(worker).get('/worker-stats')).status, 401)
    assert.ok(!(await listed()).includes(worker.id))
    assert.equal((await api.as(admin).get(`/statement/${worker.email}`)).body[0].coins, -1010)
  })

  test('an unknown user is not found; the last Admin and the caller cannot be deleted', async () => {
    const { rows } = await api.database.pool.query(
      `select id from users where role = 'Admin' and deleted_at is null`,
    )
    const admin = await anAdmin(api.database)
    for (const other of rows) assert.equal((await remove(admin, other.id)).body.deletedCount, 1)
    assert.equal((await remove(admin, randomUUID())).body.error.code, 'user_not_found')
    assert.equal((await remove(admin, admin.id)).body.error.code, 'last_admin')
    const another = await anAdmin(api.database)
    assert.equal((await remove(admin, admin.id)).body.error.code, 'yourself')
    assert.equal((await remove(admin, another.id)).body.deletedCount, 1)
  })

  test('one of eight concurrent deletions takes effect', async () => {
    const admin = await anAdmin(api.database)
    const { buyer, worker } = await aPendingSubmission(api.database)
    const responses = await Promise.all(Array.from({ length: 8 }, () => remove(admin, buyer.id)))
    assert.equal(
      responses.reduce((sum, { body }) => sum + body.deletedCount, 0),
      1,
    )
    assert.equal(await balance(worker), 20)
  })

  test('one Admin remains when two delete each other concurrently', async () => {
    for (let round = 0; round < 5; round++) {
      const [one, two] = [await anAdmin(api.database), await anAdmin(api.database)]
      const { good } = outcomes(
        await Promise.allSettled([
          deleteUser(api.database, one.id, two.id),
          deleteUser(api.database, two.id, one.id),
        ]),
      )
      assert.equal(good, 1)
    }
  })

  test('a buyer is deleted while work is submitted and decided and tasks are posted and deleted', async () => {
    for (let round = 0; round < 6; round++) {
      const admin = await anAdmin(api.database)
      const buyer = await aBuyer(api.database, { coins: 200 })
      const tasks = await Promise.all(
        [1, 2, 3].map(() => aTask(api.database, buyer, { reward: 10, slots: 4 })),
      )
      const workers = await Promise.all(Array.from({ length: 4 }, () => aWorker(api.database)))
      const [firstWorker] = workers
      const work = await Promise.all(
        tasks.map((task) => aSubmission(api.database, task, firstWorker as TestUser)),
      )
      const [task = '', other = ''] = tasks
      const [first = '', second = ''] = work
      const results = await Promise.allSettled([
        ...workers.slice(1).flatMap((worker) => tasks.map((one) => aSubmission(api.database, one, worker))),
        approveSubmission(api.database, first, buyer.id),
        rejectSubmission(api.database, noAppeals, second, buyer.id, { reason: 'No' }),
        deleteTask(api.database, other, buyer),
        aTask(api.database, buyer, { reward: 5, slots: 2 }),
        deleteUser(api.database, buyer.id, admin.id),
        deleteUser(api.database, buyer.id, admin.id),
        deleteTask(api.database, task, admin),
      ])
      const { codes } = outcomes(results)
      const expected = [
        'task_closed',
        'role_not_allowed',
        'already_decided',
        'task_not_found',
        'task_filled',
        'already_submitted',
      ]
      assert.deepEqual(
        codes.filter((code) => !expected.includes(code)),
        [],
      )
      assert.equal(await balance(buyer), 0)
      const { rows } = await api.database.pool.query(
        `select from submissions where buyer_id = $1 and status = 'pending'`,
        [buyer.id],
      )
      assert.equal(rows.length, 0, 'a deleted buyer has no pending submissions')
    }
  })

  test('a worker is deleted while submitting and withdrawing, and while their work is decided', async () => {
    for (let round = 0; round < 6; round++) {
      const admin = await anAdmin(api.database)
      const buyer = await aBuyer(api.database, { coins: 100 })
      const worker = await aWorker(api.database, { coins: 500 })
      const tasks = await Promise.all(
        [1, 2, 3].map(() => aTask(api.database, buyer, { reward: 10, slots: 1 })),
      )
      const [one = '', two = '', three = ''] = tasks
      const work = await aSubmission(api.database, one, worker)
      const results = await Promise.allSettled([
        aSubmission(api.database, two, worker),
        withdraw(worker),
        withdraw(worker),
        approveSubmission(api.database, work, buyer.id),
        deleteUser(api.database, worker.id, admin.id),
        aSubmission(api.database, three, worker),
      ])
      const { codes } = outcomes(results)
      assert.deepEqual(
        codes.filter((code) => !['role_not_allowed', 'already_decided'].includes(code)),
        [],
      )
      assert.equal(await balance(worker), 0)
      const { rows } = await api.database.pool.query(
        `select from submissions where worker_id = $1 and status = 'pending'
         union all select from withdrawals where worker_id = $1 and status = 'pending'`,
        [worker.id],
      )
      assert.equal(rows.length, 0)
    }
  })
})
