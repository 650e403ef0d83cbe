import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { before, describe, test } from 'node:test'
import { type Client, useApi } from '#tests/support/api.ts'
import { anAdmin, dayFromNow, giveCoins } from '#tests/support/factories.ts'

/**
 * The requests of existing clients (docs/specification/api.md), with their exact payloads and exactly the response
 * fields that they read. They form one story, in the order in which users make them.
 */
describe('requests and responses of existing clients', () => {
  const api = useApi()
  const image = 'https://i.example.com/face.png'
  const day = dayFromNow(10)
  let admin: Client
  let buyer: Client
  let worker: Client
  let google: Client
  const buyerEmail = 'rahim.buyer@example.com'
  const workerEmail = 'karim.worker@example.com'
  let taskId = ''
  let submissionId = ''

  async function anIdentity(email: string, name: string): Promise<Client> {
    const id = randomUUID()
    await api.database.pool.query(
      'insert into identities (id, name, email, email_key, email_verified_at) values ($1, $2, $3, $3, now())',
      [id, name, email],
    )
    return api.withHeader(await api.instance.signIn({ id, email, name }))
  }

  before(async () => {
    admin = api.as(await anAdmin(api.database))
    buyer = await anIdentity(buyerEmail, 'Rahim')
    worker = await anIdentity(workerEmail, 'Karim')
    google = await anIdentity('gita@example.com', 'Gita')
  })

  const good = async (response: ReturnType<Client['get']>) => {
    const { status, body, text } = await response
    assert.ok(status >= 200 && status < 300, `${status} ${text}`)
    return body
  }
  /** Submits work of the worker for the task and returns the response. */
  const submit = (left: number) =>
    worker.post('/submiteted-task', {
      taskId,
      task_title: 'Draw a logo',
      payable_amount: 30,
      worker_name: 'Karim',
      worker_email: workerEmail,
      buyer_email: buyerEmail,
      buyer_name: 'Rahim',
      required_workers_left: left,
      submissoin_data: 'https://example.com/logo.svg',
      status: 'pending',
      taskImg: 'https://i.example.com/task.png',
    })

  test('POST /user-data: name, email, role, coin, image, wallet; from Google roll and coin', async () => {
    await good(
      buyer.post('/user-data', {
        name: 'Rahim',
        email: buyerEmail,
        image,
        role: 'Buyer',
        coin: 50,
        wallet: 100,
      }),
    )
    await good(
      worker.post('/user-data', { name: 'Karim', email: workerEmail, image, role: 'Worker', coin: 10 }),
    )
    const fromGoogle = { name: 'Gita', email: 'gita@example.com', roll: 'Worker', coin: 10 }
    await good(google.post('/user-data', fromGoogle))
    const again = await good(google.post('/user-data', { ...fromGoogle, coin: 1_000_000 }))
    assert.equal(again.insertedId, null)
    assert.equal((await good(google.get('/coin-role/gita@example.com'))).coin, 10)
  })

  test('GET /user-details/{email} and GET /coin-role/{email}: user, img, role, coin, wallet', async () => {
    const details = await good(buyer.get(`/user-details/${buyerEmail}`))
    const { user, name, img, image: picture, role, coin, wallet, email } = details
    assert.deepEqual(
      { user, name, img, picture, role, coin, wallet, email },
      {
        user: 'Rahim',
        name: 'Rahim',
        img: image,
        picture: image,
        role: 'Buyer',
        coin: 50,
        wallet: 100,
        email: buyerEmail,
      },
    )
    const { coin: coins, role: itsRole } = await good(worker.get(`/coin-role/${workerEmail}`))
    assert.deepEqual([coins, itsRole], [10, 'Worker'])
  })

  test('GET /top-workers and GET /get-all-user: lists of users', async () => {
    const top = await good(api.anyone.get('/top-workers'))
    assert.deepEqual(Object.keys(top[0]).sort(), ['_id', 'coin', 'email', 'image', 'name'])
    const all = await good(api.anyone.get('/get-all-user'))
    assert.equal(all.length, 4)
    for (const user of all)
      for (const field of ['image', 'name', 'email', 'role', '_id'])
        assert.equal(typeof user[field], 'string')
  })

  test('POST /add-task: with worker, amount, total, buyer and buyer_name', async () => {
    await giveCoins(api.database, await accountOf(buyerEmail), 200)
    await good(
      buyer.post('/add-task', {
        task_title: 'Draw a logo',
        task_detail: 'For a tea stall',
        required_workers: 3,
        payable_amount: 30,
        completion_date: day,
        submission_info: 'A link to the picture',
        task_image_url: 'https://i.example.com/task.png',
        worker: 3,
        amount: 30,
        total: 90,
        buyer: buyerEmail,
        buyer_name: 'Rahim',
      }),
    )
    assert.equal((await good(buyer.get(`/coin-role/${buyerEmail}`))).coin, 160)
  })

  test('GET /my-task/{email}, /task-list-worker, /all-task and /task-datails/{id}: the fields of a task', async () => {
    const [mine] = await good(buyer.get(`/my-task/${buyerEmail}`))
    taskId = mine._id
    const expected = {
      _id: taskId,
      task_title: 'Draw a logo',
      task_detail: 'For a tea stall',
      required_workers: 3,
      payable_amount: 30,
      completion_date: day,
      submission_info: 'A link to the picture',
      task_image_url: 'https://i.example.com/task.png',
      buyer: buyerEmail,
      buyer_name: 'Rahim',
      worker: 3,
      isCompleted: false,
    }
    const [forWorkers] = await good(worker.get('/task-list-worker'))
    const [public_] = await good(api.anyone.get('/all-task'))
    const details = await good(worker.get(`/task-datails/${taskId}`))
    for (const task of [mine, forWorkers, public_, details]) {
      const read = Object.fromEntries(Object.keys(expected).map((field) => [field, task[field]]))
      assert.deepEqual(read, expected)
    }
    assert.equal(forWorkers.Buyer_name, 'Rahim')
  })

  test('PUT /update-task/{id}: matchedCount', async () => {
    const edit = {
      task_title: 'Draw a logo',
      task_detail: 'For a tea stall in Sylhet',
      submission_info: 'A link',
    }
    assert.ok((await good(buyer.put(`/update-task/${taskId}`, edit))).matchedCount)
  })

  test('POST /submiteted-task: insertedId', async () => {
    submissionId = (await good(submit(3))).insertedId
    assert.ok(submissionId)
    const forWorker = await good(worker.get(`/task-datails/${taskId}`))
    assert.equal(forWorker.worker, 2)
    assert.equal(forWorker.submission._id, submissionId)
    assert.equal(forWorker.submission.status, 'pending')
    const forBuyer = await good(buyer.get(`/task-datails/${taskId}`))
    assert.equal(forBuyer.submission, null, "only the user's own submission")
  })

  test('GET /notifications/{email}: message, time, actionRoute', async () => {
    const [notice] = await good(buyer.get(`/notifications/${buyerEmail}`))
    assert.match(notice.message, /Karim submitted work/)
    assert.equal(notice.actionRoute, '/dashboard/task-to-review')
    assert.equal(new Date(notice.time).toISOString(), notice.time)
  })

  test('GET /task-to-review: email, role, status', async () => {
    const [work] = await good(buyer.get(`/task-to-review?email=${buyerEmail}&role=Buyer&status=pending`))
    const expected = {
      _id: submissionId,
      taskId,
      task_title: 'Draw a logo',
      payable_amount: 30,
      worker_name: 'Karim',
      worker_email: workerEmail,
      buyer_email: buyerEmail,
      buyer_name: 'Rahim',
      submissoin_data: 'https://example.com/logo.svg',
      status: 'pending',
      taskImg: 'https://i.example.com/task.png',
    }
    assert.deepEqual(Object.fromEntries(Object.keys(expected).map((field) => [field, work[field]])), expected)
  })

  test('PATCH /update-submission-status/{id}: status, buyer; matchedCount', async () => {
    const path = `/update-submission-status/${submissionId}`
    assert.ok((await good(buyer.patch(path, { status: 'approved', buyer: 'Rahim' }))).matchedCount)
    assert.deepEqual(
      await good(buyer.get(`/task-to-review?email=${buyerEmail}&role=Buyer&status=pending`)),
      [],
    )
    const approved = await good(
      worker.get(`/task-to-review?email=${workerEmail}&role=Worker&status=approved`),
    )
    assert.equal(approved[0]._id, submissionId)
  })

  test('DELETE /submission-reject/{id}, and GET /my-submissoin/{email}: page, limit; tasks, totalTasks', async () => {
    const { _id, email } = await good(google.get('/user-details/gita@example.com'))
    assert.ok(_id)
    const { insertedId } = await good(
      google.post('/submiteted-task', {
        taskId,
        task_title: 'Draw a logo',
        payable_amount: 30,
        worker_name: 'Gita',
        worker_email: email,
        buyer_email: buyerEmail,
        buyer_name: 'Rahim',
        required_workers_left: 2,
        submissoin_data: 'Mine',
        status: 'pending',
        taskImg: '',
      }),
    )
    assert.equal((await good(google.get(`/my-submissoin/${email}?page=0&limit=5`))).totalTasks, 1)
    const rejected = await good(buyer.delete(`/submission-reject/${insertedId}`))
    assert.equal(rejected.deletedCount, 1)
    assert.deepEqual(await good(buyer.delete(`/submission-reject/${insertedId}`)), rejected)
    assert.deepEqual(await good(google.get(`/my-submissoin/${email}?page=0&limit=5`)), {
      tasks: [],
      totalTasks: 0,
    })
    const mine = await good(worker.get(`/my-submissoin/${workerEmail}?page=0&limit=5`))
    assert.equal(mine.totalTasks, 1)
    assert.equal(mine.tasks[0].status, 'approved')
    assert.deepEqual((await good(worker.get(`/my-submissoin/${workerEmail}?page=1&limit=5`))).tasks, [])
  })

  test('DELETE /delete-task/{id}, then PATCH /update-coin/{email} with the refund', async () => {
    await good(
      buyer.post('/add-task', {
        task_title: 'A mistake',
        task_detail: 'Not this',
        required_workers: 2,
        payable_amount: 10,
        completion_date: day,
        submission_info: 'Nothing',
        task_image_url: '',
        worker: 2,
        amount: 10,
        total: 20,
        buyer: buyerEmail,
        buyer_name: 'Rahim',
      }),
    )
    const [mistake] = (await good(buyer.get(`/my-task/${buyerEmail}`))).filter(
      (task: { task_title: string }) => task.task_title === 'A mistake',
    )
    assert.equal(mistake.isCompleted, false)
    assert.ok(await good(buyer.delete(`/delete-task/${mistake._id}`)))
    const refund = mistake.required_workers * mistake.payable_amount
    const { body: before } = await buyer.get(`/coin-role/${buyerEmail}`)
    const confirmed = await good(buyer.patch(`/update-coin/${buyerEmail}`, { coin: refund }))
    assert.deepEqual(confirmed, { acknowledged: true, matchedCount: 1, modifiedCount: 0, coin: before.coin })
    assert.equal((await buyer.patch(`/update-coin/${buyerEmail}`, { coin: 999 })).status, 409)
  })

  test('POST /create-payment-intent: price; clientSecret. POST /payment-success. GET /payment-history/{email}', async () => {
    const { coin: before } = await good(buyer.get(`/coin-role/${buyerEmail}`))
    const { clientSecret } = await good(buyer.post('/create-payment-intent', { price: 20 }))
    assert.equal(typeof clientSecret, 'string')
    const card = { number: '4242424242424242', expMonth: 12, expYear: 2099, cvc: '123' }
    const { transactionId } = await good(api.anyone.post('/sandbox/confirm', { clientSecret, ...card }))
    await good(
      buyer.post('/payment-success', {
        email: buyerEmail,
        coins: 500,
        price: 20,
        transactionId,
        date: new Date().toISOString(),
      }),
    )
    const [payment] = await good(buyer.get(`/payment-history/${buyerEmail}`))
    const { email, coins, price, transactionId: known, status } = payment
    assert.deepEqual(
      { email, coins, price, known, status },
      { email: buyerEmail, coins: 500, price: 20, known: transactionId, status: 'Success' },
    )
    assert.ok(payment.date)
    assert.equal((await good(buyer.get(`/coin-role/${buyerEmail}`))).coin, before + 500)
  })

  test('POST /withdraw/{email}: post.acknowledged. GET /withdraw: account. PATCH /withdraw-status/{id}', async () => {
    await giveCoins(api.database, await accountOf(workerEmail), 300)
    const { post } = await good(
      worker.post(`/withdraw/${workerEmail}`, {
        workerName: 'Karim',
        workerEmail,
        withdrawalCoin: 200,
        withdrawal_amount: 10,
        payment_system: 'Bkash',
        status: 'pending',
        formatted: '2026-01-31',
        accountNumber: '01712345678',
      }),
    )
    assert.equal(post.acknowledged, true)
    const [request] = await good(admin.get('/withdraw'))
    const { workerName, withdrawalCoin, withdrawal_amount, payment_system, account, status } = request
    assert.deepEqual(
      { workerName, withdrawalCoin, withdrawal_amount, payment_system, account, status },
      {
        workerName: 'Karim',
        withdrawalCoin: 200,
        withdrawal_amount: 10,
        payment_system: 'Bkash',
        account: '01712345678',
        status: 'pending',
      },
    )
    const decision = { status: 'approved', email: workerEmail, coin: 200, amount: 10 }
    assert.equal((await good(admin.patch(`/withdraw-status/${request._id}`, decision))).modifiedCount, 1)
    assert.deepEqual(await good(admin.get('/withdraw')), [])
  })

  test('GET /buyer-stats, /worker-stats and /admin-stats', async () => {
    const { totalPaid, pendingWorkers, totalTasks } = await good(buyer.get('/buyer-stats'))
    assert.deepEqual(
      { totalPaid, pendingWorkers, totalTasks },
      { totalPaid: 30, pendingWorkers: 2, totalTasks: 2 },
    )
    const { allTask, pendingTask, totalEarning } = await good(worker.get('/worker-stats'))
    assert.deepEqual({ allTask, pendingTask, totalEarning }, { allTask: 1, pendingTask: 0, totalEarning: 30 })
    const { totalWorker, totalBuyer, totalPayments } = await good(admin.get('/admin-stats'))
    assert.deepEqual(
      { totalWorker, totalBuyer, totalPayments },
      { totalWorker: 2, totalBuyer: 1, totalPayments: 20 },
    )
  })

  test('PUT /update-role/{id}: value; modifiedCount. DELETE /delete-user/{id}: deletedCount', async () => {
    const people = await good(admin.get('/get-all-user'))
    const gita = people.find(({ name }: { name: string }) => name === 'Gita')
    assert.equal((await good(admin.put(`/update-role/${gita._id}`, { value: 'Buyer' }))).modifiedCount, 1)
    assert.equal((await good(admin.delete(`/delete-user/${gita._id}`))).deletedCount, 1)
    assert.equal((await good(admin.delete(`/delete-user/${gita._id}`))).deletedCount, 0)
  })

  test('DELETE /delete-task/{id} by the admin', async () => {
    assert.ok(await good(admin.delete(`/delete-task/${taskId}`)))
    assert.deepEqual(await good(api.anyone.get('/all-task')), [])
  })

  async function accountOf(email: string): Promise<number> {
    const { rows } = await api.database.pool.query('select account_id from users where email_key = $1', [
      email,
    ])
    return Number(rows[0].account_id)
  }
})
