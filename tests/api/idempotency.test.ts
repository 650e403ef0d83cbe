import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { useApi } from '#tests/support/api.ts'
import { aBuyer, aSubmission, aTask, aWorker, balanceOf } from '#tests/support/factories.ts'
import { anInstance } from '#tests/support/instance.ts'

const MESSAGE = { name: 'Karim', email: 'karim@example.com', subject: 'Hello', message: 'A question' }
const key = (name: string) => ({ 'idempotency-key': name })

describe('an Idempotency-Key', () => {
  const api = useApi()

  test('of an anonymous client: one message, the same response, another body refused', async () => {
    const first = await api.anyone.post('/contact', MESSAGE, key('one'))
    const again = await api.anyone.post('/contact', MESSAGE, key('one'))
    assert.equal(first.status, 201, first.text)
    assert.deepEqual([again.status, again.body], [201, first.body])
    assert.equal(again.headers['idempotency-replayed'], 'true')
    const other = await api.anyone.post('/contact', { ...MESSAGE, message: 'Another' }, key('one'))
    assert.deepEqual([other.status, other.body.error.code], [422, 'idempotency_key_reused'])
    const { rows } = await api.database.pool.query('select count(*) from contact_messages')
    assert.equal(Number(rows[0].count), 1)
  })

  test('of a write that calls the card processor: the same response says that it is repeated', async () => {
    const buyer = api.as(await aBuyer(api.database))
    const begin = (price: number) => buyer.post('/create-payment-intent', { price }, key('intent'))
    const [first, again] = [await begin(20), await begin(20)]
    assert.deepEqual([first.status, again.status, again.body], [200, 200, first.body])
    assert.deepEqual(
      [first, again].map(({ headers }) => headers['idempotency-replayed']),
      [undefined, 'true'],
    )
    assert.equal((await begin(10)).body.error.code, 'idempotency_key_reused')
  })

  test('of such a write that failed: the response that succeeds is not a repeated one', async () => {
    const buyer = api.as(await aBuyer(api.database))
    const begin = () => buyer.post('/create-payment-intent', { price: 20 }, key('failed'))
    await api.owner.query('alter table purchases rename to purchases_away')
    const failed = await begin()
    await api.owner.query('alter table purchases_away rename to purchases')
    assert.ok(failed.status >= 500, failed.text)
    const [made, again] = [await begin(), await begin()]
    assert.deepEqual([made.status, again.status], [200, 200])
    assert.deepEqual(
      [made, again].map(({ headers }) => headers['idempotency-replayed']),
      [undefined, 'true'],
    )
  })

  test('of a 429 response can be reused: rate limits are not stored', async () => {
    const { pool } = api.database
    await pool.query(
      `insert into rate_limits values ('POST /contact 127.0.0.1', 100000, now() + interval '1 hour')
       on conflict (key) do update set hits = excluded.hits`,
    )
    const limited = await anInstance(api.database, { production: true, writeLimitFactor: 1 })
    const headers = key('two')
    const { statusCode } = await limited.app.inject({
      method: 'POST',
      url: '/api/contact',
      headers,
      payload: MESSAGE,
    })
    await limited.close()
    assert.equal(statusCode, 429)
    const { rows } = await pool.query(`select from idempotency_keys where key = 'two'`)
    assert.equal(rows.length, 0)
  })

  test('adds slots to a task once', async () => {
    const buyer = await aBuyer(api.database)
    const taskId = await aTask(api.database, buyer, { slots: 1, reward: 10 })
    const add = () => api.as(buyer).post(`/tasks/${taskId}/slots`, { slots: 2 }, key('slots'))
    const [first, again] = [await add(), await add()]
    assert.deepEqual(first.body, { changed: true, coins: 20 })
    assert.deepEqual(again.body, first.body)
    assert.equal(await balanceOf(api.database, buyer), 20)
  })

  test('with a deeply nested body is refused, and the work can still be submitted', async () => {
    const taskId = await aTask(api.database, await aBuyer(api.database))
    const worker = api.as(await aWorker(api.database))
    const deep = `${'['.repeat(200_000)}${']'.repeat(200_000)}`
    const body = `{"taskId":"${taskId}","submissoin_data":"Work","status":${deep}}`
    const refused = await worker.post('/submiteted-task', body, key('deep'))
    assert.deepEqual([refused.status, refused.body.error.code], [400, 'invalid_request'])
    const work = { taskId, submissoin_data: 'Work', status: 'pending' }
    assert.equal((await worker.post('/submiteted-task', work, key('deep'))).status, 200)
  })
})

describe('validation', () => {
  const api = useApi()
  const task = { task_title: 'A title', task_detail: 'Details', submission_info: 'Info' }

  test('a wrong type is 400, an invalid value of the right type is 422', async () => {
    const buyer = api.as(await aBuyer(api.database))
    const day = '2099-01-01'
    const post = async (more: object) => {
      const numbers = { required_workers: 1, payable_amount: 1, completion_date: day }
      return (await buyer.post('/add-task', { ...task, ...numbers, ...more })).status
    }
    assert.deepEqual(
      [
        await post({ payable_amount: 2.5 }),
        await post({ payable_amount: '3' }),
        await post({ payable_amount: 1e21 }),
      ],
      [422, 400, 422],
    )
    const id = await aTask(api.database, await aBuyer(api.database))
    const approve = async (status: unknown) =>
      (await buyer.patch(`/update-submission-status/${id}`, { status })).status
    assert.deepEqual([await approve('rejected'), await approve(['approved'])], [422, 400])
  })

  test('a title is one visible line; details keep their line breaks', async () => {
    const user = await aBuyer(api.database)
    const buyer = api.as(user)
    const id = await aTask(api.database, user)
    const edit = (more: object) => buyer.put(`/update-task/${id}`, { ...task, ...more })
    for (const unseen of ['\u200b\u200b', '\u3164', '\u2060 \ufeff', '\r\n'])
      assert.equal((await edit({ task_title: unseen })).status, 422, JSON.stringify(unseen))
    assert.equal((await edit({ task_detail: '\u200b' })).status, 422)
    assert.equal((await edit({ task_title: 'a\u0000b' })).status, 422)
    assert.equal((await edit({ task_title: ' One\r\n\ttwo ', task_detail: 'One\ntwo' })).status, 200)
    const { body } = await buyer.get(`/task-datails/${id}`)
    assert.deepEqual([body.task_title, body.task_detail], ['One two', 'One\ntwo'])
  })

  test('the total of a worker’s submissions is in a header too', async () => {
    const worker = await aWorker(api.database)
    await aSubmission(api.database, await aTask(api.database, await aBuyer(api.database)), worker)
    const { headers, body } = await api.as(worker).get(`/my-submissoin/${worker.email}?page=3`)
    assert.deepEqual([Number(headers['x-total-count']), body.totalTasks], [1, 1])
  })
})
