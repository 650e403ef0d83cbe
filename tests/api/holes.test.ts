import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { describe, test } from 'node:test'
import { closeDueTasks } from '#server/tasks/close-due.ts'
import { type TestResponse, useApi } from '#tests/support/api.ts'
import { asServer, openPooled } from '#tests/support/database.ts'
import { eventually, jitter } from '#tests/support/eventually.ts'
import {
  aBuyer,
  anAdmin,
  aPendingSubmission,
  aTask,
  aWorker,
  balanceOf,
  type TestUser,
  taskBody,
} from '#tests/support/factories.ts'
import { anInstance } from '#tests/support/instance.ts'

/** The holes that products of this kind are known for, each tried on the wire; the books are checked after each. */
describe('known vulnerabilities of comparable products', () => {
  const api = useApi()
  const balance = (user: TestUser) => balanceOf(api.database, user)
  const codes = (responses: TestResponse[]) =>
    responses.map(({ status, body }) => String(body?.error?.code ?? status)).toSorted()
  const submit = (worker: TestUser, taskId: string, extra: object = {}) =>
    api.as(worker).post('/submiteted-task', { taskId, submissoin_data: 'Done', ...extra })
  const approve = (buyer: TestUser, id: string, extra: object = {}) =>
    api.as(buyer).patch(`/update-submission-status/${id}`, { status: 'approved', ...extra })
  const reject = (buyer: TestUser, id: string) => api.as(buyer).delete(`/submission-reject/${id}`)
  const task = async (user: TestUser, id: string) => (await api.as(user).get(`/task-datails/${id}`)).body

  async function anIdentity() {
    const id = randomUUID()
    const email = `new.${id}@example.com`
    await api.database.pool.query(
      `insert into identities (id, name, email, email_key) values ($1, 'New', $2, $2)`,
      [id, email],
    )
    return { id, email, name: 'New' }
  }

  test('a client cannot set a balance: not at sign-up, not later, not by claiming a refund', async () => {
    const someone = await anIdentity()
    const register = (body: object) => api.as(someone).post('/user-data', { email: someone.email, ...body })
    const first = await register({ role: 'Buyer', coin: 1_000_000, wallet: 1_000_000 })
    assert.deepEqual([first.body.user.coin, first.body.user.wallet], [50, 100])
    const again = await register({ role: 'Worker', coin: 5000 })
    assert.deepEqual([again.body.user.coin, again.body.user.role], [50, 'Buyer'])
    const refund = await api.as(someone).patch(`/update-coin/${someone.email}`, { coin: 50 })
    assert.equal(refund.body.error.code, 'refund_mismatch')
    assert.equal((await api.as(someone).get(`/coin-role/${someone.email}`)).body.coin, 50)
  })

  test('twenty concurrent registrations grant the starting coins once', async () => {
    const someone = await anIdentity()
    const responses = await Promise.all(
      Array.from({ length: 20 }, () =>
        api.as(someone).post('/user-data', { email: someone.email, role: 'Worker' }),
      ),
    )
    assert.deepEqual(
      responses.map(({ body }) => body.user.coin),
      Array(20).fill(10),
    )
    assert.equal(responses.filter(({ body }) => body.insertedId !== null).length, 1)
  })

  test('registration never makes an Admin: by role, roll, array, case, or several of them', async () => {
    for (const body of [
      { role: 'Admin' },
      { roll: 'Admin' },
      { role: 'admin' },
      { role: 'ADMIN' },
      { role: ['Admin'] },
      { role: 'Admin', roll: 'Worker' },
      { role: { $eq: 'Admin' } },
      { roll: ['Worker', 'Admin'] },
    ]) {
      const someone = await anIdentity()
      const response = await api.as(someone).post('/user-data', { email: someone.email, ...body })
      assert.ok([400, 403, 422].includes(response.status), `${JSON.stringify(body)}: ${response.text}`)
    }
    const someone = await anIdentity()
    const mixed = {
      email: someone.email,
      role: 'Worker',
      roll: 'Admin',
      isAdmin: true,
      user: { role: 'Admin' },
    }
    assert.equal((await api.as(someone).post('/user-data', mixed)).body.user.role, 'Worker')
    assert.equal((await api.as(someone).get('/admin-stats')).status, 403)
  })

  test("a user cannot register another identity's email", async () => {
    const [one, two] = [await anIdentity(), await anIdentity()]
    for (const email of [two.email, two.email.toUpperCase()])
      assert.equal((await api.as(one).post('/user-data', { email, role: 'Worker' })).status, 403)
  })

  test('the reward comes from the task, whatever the submission or approval shows', async () => {
    const buyer = await aBuyer(api.database)
    const worker = await aWorker(api.database)
    const id = await aTask(api.database, buyer, { reward: 5, slots: 2 })
    const expensive = await submit(worker, id, { payable_amount: 5000 })
    assert.equal(expensive.body.error.code, 'task_changed')
    const work = (await submit(worker, id, { payable_amount: 5 })).body.insertedId
    await approve(buyer, work, { payable_amount: 5000, coin: 5000, amount: 5000, buyer: 'x' })
    assert.equal(await balance(worker), 15)
  })

  test('the status comes from the decision, whatever the submitter shows', async () => {
    const buyer = await aBuyer(api.database)
    const worker = await aWorker(api.database)
    const id = await aTask(api.database, buyer, { reward: 5, slots: 2 })
    await submit(worker, id, { status: 'approved', required_workers_left: 99 })
    const { tasks } = (await api.as(worker).get(`/my-submissoin/${worker.email}`)).body
    assert.equal(tasks[0].status, 'pending')
    assert.equal((await task(worker, id)).worker, 1)
    assert.equal(await balance(worker), 10)
  })

  test('a worker cannot submit in the name of another', async () => {
    const { buyer, worker, taskId } = await aPendingSubmission(api.database)
    const other = await aWorker(api.database)
    assert.equal((await submit(other, taskId, { worker_email: worker.email })).status, 403)
    const wrongBuyer = await submit(other, taskId, { buyer_email: other.email })
    assert.equal(wrongBuyer.status, 409, wrongBuyer.text)
    assert.match(wrongBuyer.body.error.message, /belongs to another buyer/)
    assert.equal((await submit(other, taskId, { buyer_email: buyer.email.toUpperCase() })).status, 200)
  })

  test('fifty concurrent approvals pay once', async () => {
    const { buyer, worker, submissionId } = await aPendingSubmission(api.database, { reward: 25 })
    const responses = await Promise.all(Array.from({ length: 50 }, () => approve(buyer, submissionId)))
    assert.equal(
      responses.reduce((sum, { body }) => sum + body.modifiedCount, 0),
      1,
    )
    assert.ok(responses.every(({ body }) => body.matchedCount === 1))
    assert.equal(await balance(worker), 35)
  })

  test('a rejection after the approval, and an approval after the rejection, change nothing', async () => {
    const one = await aPendingSubmission(api.database, { reward: 10, slots: 1 })
    await approve(one.buyer, one.submissionId)
    assert.equal((await reject(one.buyer, one.submissionId)).body.error.code, 'already_decided')
    assert.equal((await task(one.buyer, one.taskId)).worker, 0)
    const two = await aPendingSubmission(api.database, { reward: 10, slots: 1 })
    await reject(two.buyer, two.submissionId)
    assert.equal((await approve(two.buyer, two.submissionId)).body.error.code, 'already_decided')
    assert.deepEqual([await balance(one.worker), await balance(two.worker)], [20, 10])
  })

  test('a slot is freed once, however often and concurrently', async () => {
    const { buyer, worker, taskId, submissionId } = await aPendingSubmission(api.database, { slots: 3 })
    await Promise.all(Array.from({ length: 20 }, () => reject(buyer, submissionId)))
    assert.equal((await task(buyer, taskId)).worker, 2)
    const accept = () => api.as(worker).post(`/submissions/${submissionId}/acceptance`, {})
    await Promise.all(Array.from({ length: 20 }, accept))
    assert.equal((await task(buyer, taskId)).worker, 3)
  })

  test('of thirty workers competing for three slots, three get one', async () => {
    const buyer = await aBuyer(api.database)
    const id = await aTask(api.database, buyer, { reward: 5, slots: 3 })
    const workers = await Promise.all(Array.from({ length: 30 }, () => aWorker(api.database)))
    const responses = await Promise.all(workers.map((worker) => submit(worker, id)))
    assert.equal(responses.filter(({ status }) => status === 200).length, 3)
    assert.deepEqual(new Set(codes(responses)), new Set(['200', 'task_filled']))
  })

  test('a refund excludes paid slots, goes to the owner, and is booked once', async () => {
    const admin = await anAdmin(api.database)
    const { buyer, worker, taskId, submissionId } = await aPendingSubmission(api.database, {
      reward: 10,
      slots: 4,
    })
    await approve(buyer, submissionId)
    const before = await balance(buyer)
    const responses = await Promise.all(
      Array.from({ length: 10 }, (_, index) =>
        api.as(index % 2 === 0 ? admin : buyer).delete(`/delete-task/${taskId}`),
      ),
    )
    assert.equal(
      responses.reduce((sum, { body }) => sum + body.refund, 0),
      30,
    )
    assert.deepEqual(
      [await balance(buyer), await balance(worker), await balance(admin)],
      [before + 30, 20, 0],
    )
    for (const user of [worker, admin]) {
      const claim = await api.as(user).patch(`/update-coin/${user.email}`, { coin: 30 })
      assert.equal(claim.status, 403)
    }
  })

  test('a submission at the deadline: the slot is refunded or taken, never both', async () => {
    for (let round = 0; round < 6; round++) {
      const buyer = await aBuyer(api.database)
      const worker = await aWorker(api.database)
      const id = await aTask(api.database, buyer, { reward: 10, slots: 1 })
      await api.database.pool.query(
        `update tasks set closes_at = clock_timestamp() + make_interval(secs => $2) where id = $1`,
        [id, round * 0.004],
      )
      const [response] = await Promise.all([
        submit(worker, id),
        eventually(async () => (await closeDueTasks(api.database)) > 0),
      ])
      const taken = response.status === 200
      assert.equal(await balance(buyer), taken ? 40 : 50)
    }
  })

  test('an edit changes three texts and nothing else, whatever else it contains', async () => {
    const { buyer, taskId } = await aPendingSubmission(api.database, { reward: 10, slots: 3 })
    const before = await task(buyer, taskId)
    const edit = { task_title: 'New', task_detail: 'New', submission_info: 'New' }
    const more = {
      payable_amount: 1,
      required_workers: 99,
      worker: 99,
      buyer: 'x@y.z',
      completion_date: '2099-01-01',
      isCompleted: true,
      _id: randomUUID(),
      escrow_id: 1,
    }
    assert.equal((await api.as(buyer).put(`/update-task/${taskId}`, { ...edit, ...more })).status, 200)
    // The pending work keeps the version that it was made for.
    assert.deepEqual(await task(buyer, taskId), { ...before, ...edit, taskVersion: 2 })
  })

  test('a task exists with its escrow or not at all, even when the connection dies', async () => {
    const buyer = await aBuyer(api.database, { coins: 950 })
    // Only the connections of this instance are killed, so that the test's own queries never meet a dead one. They do not
    // go through PgBouncer, whose connections all clients share.
    const database = openPooled(api.url, {
      application_name: 'killed',
      connectionString: asServer(api.url),
    })
    const instance = await anInstance(database)
    const authorization = await instance.signIn(buyer)
    const post = async () => {
      const payload = taskBody({ reward: 5, slots: 2 })
      const response = await instance.app.inject({
        method: 'POST',
        url: '/api/add-task',
        headers: { authorization },
        payload,
      })
      return response.statusCode
    }
    const posting = Array.from({ length: 60 }, post)
    let isPosting = true
    const killing = (async () => {
      while (isPosting) {
        await api.database.pool.query(
          `select pg_terminate_backend(pid) from pg_stat_activity
            where application_name = 'killed' and state = 'active' and query like '%add_task%' limit 1`,
        )
        await jitter(5)
      }
    })()
    const statuses = await Promise.all(posting)
    isPosting = false
    await killing
    await instance.close()
    await database.close()
    assert.deepEqual(
      statuses.filter((status) => ![200, 503].includes(status)),
      [],
    )
    const { rows } = await api.database.pool.query(
      'select count(*)::int as tasks from tasks where buyer_id = $1',
      [buyer.id],
    )
    assert.ok(rows[0].tasks >= statuses.filter((status) => status === 200).length)
    assert.equal(await balance(buyer), 1000 - rows[0].tasks * 10)
  })

  test('one idempotency key used forty times at once creates one task; another body is refused', async () => {
    const buyer = await aBuyer(api.database, { coins: 950 })
    const key = { 'idempotency-key': randomUUID() }
    const body = taskBody({ reward: 5, slots: 2 })
    const responses = await Promise.all(
      Array.from({ length: 40 }, () => api.as(buyer).post('/add-task', body, key)),
    )
    const ids = new Set(responses.filter(({ status }) => status === 200).map(({ body }) => body.insertedId))
    assert.equal(ids.size, 1, JSON.stringify(codes(responses)))
    assert.equal(await balance(buyer), 990)
    const other = await api.as(buyer).post('/add-task', { ...body, payable_amount: 6 }, key)
    assert.equal(other.body.error.code, 'idempotency_key_reused')
    const stranger = await aBuyer(api.database)
    assert.notEqual((await api.as(stranger).post('/add-task', body, key)).body.insertedId, [...ids][0])
  })

  test('a buyer cannot see, approve or reject submissions of another buyer’s tasks', async () => {
    const { submissionId, buyer } = await aPendingSubmission(api.database)
    const other = await aBuyer(api.database)
    assert.equal((await approve(other, submissionId)).status, 404)
    assert.equal((await reject(other, submissionId)).status, 404)
    for (const email of [buyer.email, buyer.email.toUpperCase(), `\u0130${buyer.email}`.slice(1)]) {
      const query = `email=${encodeURIComponent(email)}&role=Buyer&status=pending`
      assert.equal((await api.as(other).get(`/task-to-review?${query}`)).status, 403)
    }
  })
})
