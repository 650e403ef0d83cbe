import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { PUSH_SUBSCRIPTIONS_MAX } from '#contract/push-subscriptions.ts'
import { startJobs } from '#server/jobs/start.ts'
import { approveSubmission } from '#server/submissions/approve.ts'
import { useApi } from '#tests/support/api.ts'
import { eventually } from '#tests/support/eventually.ts'
import { aBuyer, aSubmission, aTask, aWorker, type TestUser } from '#tests/support/factories.ts'
import { startPushService } from '#tests/support/push-service.ts'
import { sendPush } from './send.ts'
import { purgePushSubscriptions } from './subscriptions.ts'

const NOT_ON_THE_CURVE = `B${'A'.repeat(86)}`

describe('notifications on devices', () => {
  const api = useApi()
  let service: Awaited<ReturnType<typeof startPushService>>
  let jobs: Awaited<ReturnType<typeof startJobs>>

  before(async () => {
    service = await startPushService()
    jobs = await startJobs(api.instance.context, api.instance.app.log)
  })
  after(async () => {
    await jobs.stop()
    service.close()
  })

  const rows = async (sql: string, values: unknown[] = []) =>
    (await api.database.pool.query(sql, values)).rows
  const stored = async ({ id }: TestUser) =>
    (await rows('select endpoint from push_subscriptions where user_id = $1', [id])).map(
      ({ endpoint }) => endpoint,
    )
  const approved = async (worker: TestUser, title: string) => {
    const buyer = await aBuyer(api.database, { coins: 100 })
    const taskId = await aTask(api.database, buyer, { title })
    await approveSubmission(api.database, await aSubmission(api.database, taskId, worker), buyer.id)
  }
  const subscribed = async (worker: TestUser) => {
    const device = service.subscribe()
    const { status } = await api.as(worker).put('/push-subscriptions', device.subscription)
    assert.equal(status, 200)
    return device
  }

  test('an approval is shown on each device of the worker, in their language, with its page', async () => {
    const worker = await aWorker(api.database)
    const devices = [await subscribed(worker), await subscribed(worker)]
    await approved(worker, 'Count shops')
    await eventually(async () => devices.every(({ received }) => received.length === 1))
    const [message] = devices[0]?.received ?? []
    assert.equal(message?.title, 'Tallywork')
    assert.match(message?.body ?? '', /Count shops/)
    assert.equal(message?.route, '/dashboard/approved-task')

    await rows(`update users set locale = 'bn' where id = $1`, [worker.id])
    // The app in the other language stores the device's subscription again.
    for (const { subscription } of devices) await api.as(worker).put('/push-subscriptions', subscription)
    assert.equal((await stored(worker)).length, devices.length)
    await approved(worker, 'Count trees')
    await eventually(async () => devices.every(({ received }) => received.length === 2))
    const second = devices[0]?.received[1]
    assert.equal(second?.lang, 'bn')
    assert.match(second?.body ?? '', /\p{Script=Bengali}/u)
    assert.equal(second?.route, '/bn/dashboard/approved-task')
  })

  test('a rejection, a deadline and a payment are shown, each with its page', async () => {
    const worker = await aWorker(api.database)
    const { received } = await subscribed(worker)
    const title = 'Count boats'
    const rejected = crypto.randomUUID()
    for (const [kind, params] of [
      ['submission_rejected', { title, reason: 'Three are missing', appealDays: 7 }],
      ['deadline_near', { title, state: 'rejection_open' }],
      ['withdrawal_paid', { coins: 400, cents: 2000, system: 'Bkash', account: '01712345678' }],
    ] as const)
      await rows('select notify_user($1, $2, $3, $4)', [worker.id, kind, params, rejected])
    await eventually(() => received.length === 3)
    const shown = new Map(received.map(({ tag, body, route }) => [tag, { body, route }]))
    assert.match(shown.get('submission_rejected')?.body ?? '', /Count boats.*Three are missing/s)
    assert.equal(shown.get('submission_rejected')?.route, `/dashboard/case/${rejected}`)
    assert.match(shown.get('deadline_near')?.body ?? '', /Count boats/)
    assert.match(shown.get('withdrawal_paid')?.body ?? '', /\$20\.00/)
    assert.equal(shown.get('withdrawal_paid')?.route, '/dashboard/paymenthistory')
  })

  test('a category that the user switched off is not shown', async () => {
    const worker = await aWorker(api.database)
    const device = await subscribed(worker)
    const preferences = { workReceived: true, workDecided: false, payouts: true }
    await api.as(worker).put('/mail-preferences', preferences)
    await approved(worker, 'Quiet work')
    await eventually(async () => (await pushResults(worker)).length === 1)
    assert.deepEqual(await pushResults(worker), ['skipped'])
    assert.deepEqual(device.received, [])
  })

  test('a subscription ends with its session', async () => {
    const worker = await aWorker(api.database)
    const device = await subscribed(worker)
    await rows('update sessions set ended_at = now() where identity_id = $1', [worker.id])
    await approved(worker, 'After sign-out')
    await eventually(async () => (await rows('select 1 from outbox')).length === 0)
    const jobs = `select state from jobs.job where name = 'push'
      and (data ->> 'notification')::bigint in (select id from notifications where user_id = $1)`
    assert.deepEqual(await rows(jobs, [worker.id]), [])
    await purgePushSubscriptions(api.database)
    assert.deepEqual(await stored(worker), [])
    assert.deepEqual(device.received, [])
  })

  test('a subscription that its push service no longer knows is deleted; a failing service is retried', async () => {
    const worker = await aWorker(api.database)
    const gone = await subscribed(worker)
    service.forget(gone.subscription)
    await approved(worker, 'Gone')
    await eventually(async () => (await stored(worker)).length === 0)

    const kept = await subscribed(worker)
    service.status = 503
    await approved(worker, 'Later')
    const waiting = `select id from jobs.job where name = 'push' and state = 'retry'`
    await eventually(async () => (await rows(waiting)).length === 1)
    service.status = 201
    await rows(`update jobs.job set start_after = now() where name = 'push' and state = 'retry'`)
    await eventually(async () => kept.received.length === 1)
    assert.deepEqual(await stored(worker), [kept.subscription.endpoint])
  })

  test('a subscription whose key is not on the curve is deleted, and fails no job', async () => {
    const worker = await aWorker(api.database)
    await subscribed(worker)
    await rows('update push_subscriptions set public_key = $2 where user_id = $1', [
      worker.id,
      NOT_ON_THE_CURVE,
    ])
    await approved(worker, 'No key')
    await eventually(async () => (await pushResults(worker)).length === 1)
    assert.deepEqual([await pushResults(worker), await stored(worker)], [['gone'], []])
  })

  test('where other machines can connect, a subscription of a private network receives nothing', async () => {
    const worker = await aWorker(api.database)
    const { received } = await subscribed(worker)
    const params = { title: 'Count boats', state: 'rejection_open' }
    // Without a row in the outbox, so that the jobs do not send it.
    const [{ id }] = await rows(
      `insert into notifications (user_id, kind, params) values ($1, 'deadline_near', $2) returning id`,
      [worker.id, params],
    )
    const [device] = await rows('select id from push_subscriptions where user_id = $1', [worker.id])
    const config = { ...api.instance.config, isDevelopment: false }
    const job = { notification: Number(id), subscription: device.id }
    assert.equal(await sendPush({ database: api.database, config }, job), 'gone')
    assert.deepEqual([received, await stored(worker)], [[], []])
  })

  test('a device belongs to the user who signed in last; only its user can unsubscribe it', async () => {
    const [first, second] = [await aWorker(api.database), await aWorker(api.database)]
    const { subscription } = await subscribed(first)
    await api.as(second).put('/push-subscriptions', subscription)
    assert.deepEqual(await stored(first), [])
    const { endpoint } = subscription
    const others = await api.as(first).delete('/push-subscriptions', { endpoint })
    assert.equal(others.body.deletedCount, 0)
    assert.deepEqual(await stored(second), [endpoint])
    const own = await api.as(second).delete('/push-subscriptions', { endpoint })
    assert.equal(own.body.deletedCount, 1)
  })

  test('a further device replaces the oldest; a repeated subscription replaces none', async () => {
    const worker = await aWorker(api.database)
    const devices = []
    for (let n = 0; n <= PUSH_SUBSCRIPTIONS_MAX; n++) devices.push(await subscribed(worker))
    const [oldest, second] = devices
    const endpoints = await stored(worker)
    assert.equal(endpoints.length, PUSH_SUBSCRIPTIONS_MAX)
    assert.ok(!endpoints.includes(oldest?.subscription.endpoint))
    await api.as(worker).put('/push-subscriptions', second?.subscription)
    assert.equal((await stored(worker)).length, PUSH_SUBSCRIPTIONS_MAX)
  })

  test('subscriptions with other URLs or keys are refused', async () => {
    const worker = await aWorker(api.database)
    const { subscription } = service.subscribe()
    const { endpoint, keys } = subscription
    const wrong = [
      { endpoint: 'file:///etc/passwd', keys },
      { endpoint: 'not a URL', keys },
      { endpoint: `${endpoint}/${'x'.repeat(1000)}`, keys },
      { endpoint, keys: { ...keys, p256dh: 'short' } },
      { endpoint, keys: { ...keys, p256dh: NOT_ON_THE_CURVE } },
      { endpoint, keys: { ...keys, auth: '' } },
    ]
    for (const body of wrong) {
      const { status } = await api.as(worker).put('/push-subscriptions', body)
      assert.equal(status, 422, JSON.stringify(body))
    }
    assert.equal((await api.as(worker).put('/push-subscriptions', { endpoint })).status, 400)
    assert.deepEqual(await stored(worker), [])
  })

  /** The results of the jobs for a user's devices. */
  async function pushResults({ id }: TestUser): Promise<string[]> {
    const done = await rows(
      `select output ->> 'result' as result from jobs.job
        where name = 'push' and state = 'completed'
          and (data ->> 'notification')::bigint in (select id from notifications where user_id = $1)`,
      [id],
    )
    return done.map(({ result }) => result)
  }
})
