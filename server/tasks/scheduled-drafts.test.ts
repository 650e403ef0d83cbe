import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { SCHEDULE_DAYS_MAX } from '#contract/task-drafts.ts'
import type { Config } from '#server/config.ts'
import { type StoredNotification, textOf } from '#server/notifications/present.ts'
import { useApi } from '#tests/support/api.ts'
import { atTime, later } from '#tests/support/clock.ts'
import {
  aBuyer,
  atOnce,
  balanceOf,
  dayFromNow,
  type TestUser,
  taskBody,
  testConfig,
} from '#tests/support/factories.ts'
import { expectValidNotifications } from '#tests/support/notifications.ts'
import { postDueDrafts } from './post-due-drafts.ts'

const PATH = '/task-drafts'
const tomorrow = later(new Date(), { days: 1 }).toISOString()
const onTime = later(new Date(), { days: 1, minutes: 1 })

describe('scheduled posting of drafts', () => {
  const api = useApi()
  async function scheduled(buyer: TestUser, body: object = taskBody({ slots: 2, reward: 5 })) {
    const draft = (await api.as(buyer).post(PATH, body)).body
    const set = await schedule(buyer, draft._id, tomorrow)
    assert.equal(set.status, 200, set.text)
    assert.equal(set.body.postAt, tomorrow)
    return draft._id as string
  }
  const schedule = (buyer: TestUser, id: string, postAt: string | null) =>
    api.as(buyer).put(`${PATH}/${id}/schedule`, { postAt })
  const run = (config: Config = testConfig) =>
    atTime(api.url, onTime, (database) => postDueDrafts(database, config))
  const titlesOf = async (buyer: TestUser) =>
    (await api.as(buyer).get(`/my-task/${buyer.email}`)).body.map(
      ({ task_title }: { task_title: string }) => task_title,
    )
  const draftsOf = async (buyer: TestUser) => (await api.as(buyer).get(PATH)).body
  const notificationsOf = async ({ id }: TestUser) => {
    const { rows } = await api.database.pool.query(
      'select kind, params from notifications where user_id = $1 order by id',
      [id],
    )
    return rows.map(({ kind, params }) => [kind, params])
  }

  test('a draft is posted at its time and not before, once, however many instances post it', async () => {
    const buyer = await aBuyer(api.database)
    await scheduled(buyer)
    assert.equal(await balanceOf(api.database, buyer), 50)
    await postDueDrafts(api.database, testConfig)
    assert.deepEqual(await titlesOf(buyer), [])

    await atTime(api.url, onTime, (database) => atOnce(4, () => postDueDrafts(database, testConfig)))
    assert.deepEqual(await titlesOf(buyer), ['Label ten photos'])
    assert.equal(await balanceOf(api.database, buyer), 40)
    assert.deepEqual(await draftsOf(buyer), [])
    assert.deepEqual(await notificationsOf(buyer), [
      ['scheduled_task_posted', { title: 'Label ten photos', coins: 10 }],
    ])
    await expectValidNotifications(api.database)
  })

  test('without the coins nothing moves: the draft stays with the reason, and its buyer is notified once', async () => {
    const buyer = await aBuyer(api.database)
    const id = await scheduled(buyer, taskBody({ slots: 2, reward: 500 }))
    await atTime(api.url, onTime, (database) => atOnce(4, () => postDueDrafts(database, testConfig)))
    const [draft] = await draftsOf(buyer)
    assert.deepEqual([draft._id, draft.postAt, draft.failure.code], [id, null, 'insufficient_coins'])
    assert.equal(await balanceOf(api.database, buyer), 50)
    assert.deepEqual(await notificationsOf(buyer), [
      [
        'scheduled_task_failed',
        { title: 'Label ten photos', reason: { key: 'insufficient_coins', params: {} } },
      ],
    ])
    await run()
    assert.deepEqual(await titlesOf(buyer), [], 'It is not tried again')
    await expectValidNotifications(api.database)

    await api.as(buyer).put(`${PATH}/${id}`, taskBody({ slots: 2, reward: 5 }))
    assert.equal((await schedule(buyer, id, tomorrow)).body.failure, null)
    await run()
    assert.deepEqual(await titlesOf(buyer), ['Label ten photos'])
  })

  test('the reason is in the language of its reader; one that was stored as a sentence stays', async () => {
    const buyer = await aBuyer(api.database)
    const id = await scheduled(buyer, taskBody({ slots: 2, reward: 500 }))
    await run()
    const failureIn = async (language: string) =>
      (await api.as(buyer).get(`${PATH}/${id}`, { 'accept-language': language })).body.failure
    const [english, bangla] = [await failureIn('en'), await failureIn('bn')]
    assert.deepEqual(english, { code: 'insufficient_coins', message: 'Not available Coin. Purchase Coin' })
    assert.equal(bangla.code, 'insufficient_coins')
    assert.match(bangla.message, /\p{Script=Bengali}/u)
    const { rows } = await api.database.pool.query<StoredNotification>(
      'select kind, params, message, action_route, ref from notifications where user_id = $1',
      [buyer.id],
    )
    const [notification] = rows
    assert.ok(notification)
    assert.ok(textOf(notification, 'en').message.endsWith(english.message))
    assert.ok(textOf(notification, 'bn').message.endsWith(bangla.message))

    const message = 'No coins are left.'
    await api.database.pool.query(
      'update task_drafts set refusal = null, failure_code = $2, failure_message = $3 where id = $1',
      [id, 'insufficient_coins', message],
    )
    assert.deepEqual(await failureIn('bn'), { code: 'insufficient_coins', message })
    const before = { ...notification, params: { title: 'Label ten photos', reason: message } }
    assert.match(textOf(before, 'bn').message, /“Label ten photos”.*No coins are left\.$/)
  })

  test('the fee is taken with the cost, or neither', async () => {
    const config = { ...testConfig, taskFeePercent: 10 }
    const [exact, less] = [await aBuyer(api.database), await aBuyer(api.database)]
    await scheduled(exact, taskBody({ slots: 5, reward: 9 }))
    await scheduled(less, taskBody({ slots: 5, reward: 10 }))
    await run(config)
    assert.equal(await balanceOf(api.database, exact), 50 - 45 - 5)
    assert.equal(await balanceOf(api.database, less), 50)
    assert.equal((await draftsOf(less))[0].failure.code, 'insufficient_coins')
  })

  test('a cancelled, moved or deleted draft is not posted, and one that is posted by hand is posted once', async () => {
    const buyer = await aBuyer(api.database)
    const [cancelled, moved, deleted, byHand] = await Promise.all(
      ['Cancelled', 'Moved', 'Deleted', 'By hand'].map((title) =>
        scheduled(buyer, taskBody({ title, slots: 1, reward: 5 })),
      ),
    )
    assert.equal((await schedule(buyer, cancelled ?? '', null)).body.postAt, null)
    await schedule(buyer, moved ?? '', later(new Date(), { days: 2 }).toISOString())
    await api.as(buyer).delete(`${PATH}/${deleted}`)
    await Promise.all([
      api
        .as(buyer)
        .post('/add-task', { ...taskBody({ title: 'By hand', slots: 1, reward: 5 }), draftId: byHand }),
      run(),
    ])
    assert.deepEqual(await titlesOf(buyer), ['By hand'])
    assert.equal(await balanceOf(api.database, buyer), 45)
  })

  test('an edit before the time counts, and one that makes the draft unpostable is refused', async () => {
    const buyer = await aBuyer(api.database)
    const id = await scheduled(buyer)
    const body = taskBody({ slots: 2, reward: 5 })
    const { task_detail: _, ...incomplete } = body
    const codes = []
    for (const edit of [incomplete, { ...body, completion_date: dayFromNow(0) }]) {
      const refused = await api.as(buyer).put(`${PATH}/${id}`, edit)
      codes.push(refused.body.error.code)
    }
    assert.deepEqual(codes, ['invalid_fields', 'deadline_passed'])
    await api.as(buyer).put(`${PATH}/${id}`, { ...body, task_title: 'Label twenty photos' })
    await run()
    assert.deepEqual(await titlesOf(buyer), ['Label twenty photos'])
  })

  test('a task is open for an hour or longer after it is posted, so that a late job can post it', async () => {
    const buyer = await aBuyer(api.database)
    const day = dayFromNow(3)
    const { _id: id } = (await api.as(buyer).post(PATH, taskBody({ slots: 2, reward: 5, day }))).body
    // The day ends at 18:00 UTC in Dhaka.
    const late = await schedule(buyer, id, `${day}T17:00:01.000Z`)
    assert.equal(late.body.error.code, 'deadline_passed')
    await schedule(buyer, id, `${day}T17:00:00.000Z`)
    await atTime(api.url, new Date(`${day}T17:59:59Z`), (database) => postDueDrafts(database, testConfig))
    assert.deepEqual(await titlesOf(buyer), ['Label ten photos'])
  })

  test('one that was scheduled before this rule can be renamed', async () => {
    const buyer = await aBuyer(api.database)
    const id = await scheduled(buyer)
    await api.database.pool.query(
      `update task_drafts set task = jsonb_set(task, '{completion_date}', to_jsonb($2::text)) where id = $1`,
      [id, dayFromNow(0)],
    )
    const renamed = await api.as(buyer).put(`${PATH}/${id}/name`, { name: 'For tomorrow' })
    assert.deepEqual([renamed.status, renamed.body.name], [200, 'For tomorrow'])
  })

  test('what cannot be posted is not scheduled', async () => {
    const [buyer, stranger] = [await aBuyer(api.database), await aBuyer(api.database)]
    const make = async (body: object) => (await api.as(buyer).post(PATH, body)).body._id
    const complete = await make(taskBody())
    const refusals = [
      [await schedule(buyer, await make({ task_title: 'Half' }), tomorrow), 'invalid_fields'],
      [await schedule(buyer, await make({ ...taskBody(), template: true }), tomorrow), 'state_conflict'],
      [await schedule(buyer, complete, later(new Date(), { minutes: -1 }).toISOString()), 'invalid_fields'],
      [
        await schedule(buyer, complete, later(new Date(), { days: SCHEDULE_DAYS_MAX + 1 }).toISOString()),
        'invalid_fields',
      ],
      [await schedule(buyer, complete, later(new Date(), { days: 9 }).toISOString()), 'deadline_passed'],
      [await schedule(stranger, complete, tomorrow), 'not_found'],
    ] as const
    assert.deepEqual(
      refusals.map(([response]) => response.body.error.code),
      refusals.map(([, code]) => code),
    )
    assert.ok((await draftsOf(buyer)).every(({ postAt }: { postAt: string | null }) => postAt === null))
  })
})
