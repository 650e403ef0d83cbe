import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { kindsIn, NOTIFICATION_KINDS } from '#contract/notification-kinds.ts'
import {
  type ListedNotification,
  type Notification,
  NotificationCategory,
  UNREAD_COUNT_HEADER,
} from '#contract/notifications.ts'
import { rejectSubmission } from '#server/submissions/reject.ts'
import { useApi } from '#tests/support/api.ts'
import { aBuyer, aPendingSubmission, aWorker, type TestUser, testConfig } from '#tests/support/factories.ts'

describe('notifications', () => {
  const api = useApi()
  const notify = (user: TestUser, name: string) =>
    api.database.pool.query(`select notify_user($1, 'contact_message', $2, null)`, [
      user.id,
      { name, subject: 'Hello' },
    ])
  const list = async (user: TestUser, query = ''): Promise<Notification[]> =>
    (await api.as(user).get(`/notifications/${user.email}${query}`)).body
  const read = async (user: TestUser, body: object) =>
    (await api.as(user).patch(`/notifications/${user.email}`, body)).body.modifiedCount

  test('are listed newest first in pages, and marked read up to the last one seen', async () => {
    const worker = await aWorker(api.database)
    for (const text of ['one', 'two', 'three', 'four']) await notify(worker, text)
    const page = await api.as(worker).get(`/notifications/${worker.email}?limit=3`)
    assert.deepEqual(
      page.body.map(({ message }: Notification) => message),
      ['four wrote to you: Hello', 'three wrote to you: Hello', 'two wrote to you: Hello'],
    )
    assert.deepEqual(Object.keys(page.body[0]).sort(), ['_id', 'actionRoute', 'message', 'read', 'time'])
    const rest = await list(worker, `?limit=3${page.next}`)
    assert.deepEqual(
      rest.map(({ message }) => message),
      ['one wrote to you: Hello'],
    )

    assert.equal(await read(worker, { upTo: page.body[2]._id }), 2)
    assert.deepEqual(
      (await list(worker)).map((one) => one.read),
      [false, false, true, true],
    )
    assert.equal(await read(worker, {}), 2)
    assert.equal(await read(worker, {}), 0)
    assert.ok((await list(worker)).every((one) => one.read))
  })

  test('the first page says how many are unread, up to 100', async () => {
    const worker = await aWorker(api.database)
    const counted = async (query: string) =>
      (await api.as(worker).get(`/notifications/${worker.email}${query}`)).headers[UNREAD_COUNT_HEADER]
    await notify(await aWorker(api.database), 'of another user')
    assert.equal(await counted(''), '0')
    for (const text of ['one', 'two', 'three']) await notify(worker, text)
    const { next, body } = await api.as(worker).get(`/notifications/${worker.email}?limit=1`)
    await api.as(worker).put('/my-notifications/read', { ids: [body[0]._id], read: true })
    assert.equal(await counted('?limit=1'), '2')
    assert.equal(await counted(`?limit=1${next}`), undefined)
    await api.database.pool.query(
      `insert into notifications (user_id, kind, params) select $1, 'role_changed', '{"role": "Buyer"}' from generate_series(1, 150)`,
      [worker.id],
    )
    assert.equal(await counted('?limit=1'), '100')
  })

  test('an appeal period of a part of a day is in hours', async () => {
    const { worker, buyer, submissionId } = await aPendingSubmission(api.database)
    const reason = 'It is empty'
    await rejectSubmission(api.database, { ...testConfig, appealDays: 0.5 }, submissionId, buyer.id, {
      reason,
    })
    assert.equal(
      (await list(worker))[0]?.message,
      'Your work on "Label ten photos" was not accepted. You have 12 hours to appeal. Reason: It is empty',
    )
  })

  test('a row of an earlier version keeps its sentence and route', async () => {
    const worker = await aWorker(api.database)
    await api.database.pool.query(
      `insert into notifications (user_id, kind, message, action_route) values ($1, 'role_changed', 'Old words', '/old')`,
      [worker.id],
    )
    await notify(worker, 'Ruma')
    assert.deepEqual(
      (await list(worker)).map(({ message, actionRoute }) => [message, actionRoute]),
      [
        ['Ruma wrote to you: Hello', '/dashboard/messages'],
        ['Old words', '/old'],
      ],
    )
    const { notifications } = (await api.as(worker).get(`/my-data/${worker.email}`)).body
    assert.deepEqual(Object.keys(notifications[0]).sort(), Object.keys(notifications[1]).sort())
    assert.deepEqual(
      notifications.map((one: { message: string }) => one.message),
      ['Ruma wrote to you: Hello', 'Old words'],
    )
  })

  test('are neither visible to another user nor marked by one, in any letter case', async () => {
    const [mine, theirs] = [await aWorker(api.database), await aWorker(api.database)]
    await notify(mine, 'mine')
    for (const email of [mine.email, mine.email.toUpperCase(), ` ${mine.email} `]) {
      const path = `/notifications/${encodeURIComponent(email)}`
      assert.equal((await api.as(theirs).get(path)).status, 403)
      assert.equal((await api.as(theirs).patch(path, {})).status, 403)
      assert.equal((await api.as(mine).get(path)).body.length, 1)
    }
    assert.equal((await list(mine))[0]?.read, false)
  })

  const mine = async (user: TestUser, query = '') =>
    (await api.as(user).get(`/my-notifications${query}`)).body as ListedNotification[]
  const messages = (rows: { message: string }[]) => rows.map(({ message }) => message)
  const notifyOf = (user: TestUser, kind: string, params: object) =>
    api.database.pool.query('select notify_user($1, $2, $3, null)', [user.id, kind, params])

  test('a user lists their own, with the fields for grouping, in pages, by category and unread', async () => {
    const buyer = await aBuyer(api.database)
    await notifyOf(buyer, 'work_received', { worker: 'Ruma', title: 'Check prices' })
    await notifyOf(buyer, 'coins_bought', { coins: 100, cents: 1000 })
    await notifyOf(buyer, 'role_changed', { role: 'Buyer' })
    await notifyOf(buyer, 'work_received', { worker: 'Rafi', title: 'Check prices' })
    const all = await mine(buyer)
    assert.deepEqual(
      all.map(({ kind, title, actor, coins, read }) => [kind, title, actor, coins, read]),
      [
        ['work_received', 'Check prices', 'Rafi', null, false],
        ['role_changed', null, null, null, false],
        ['coins_bought', null, null, 100, false],
        ['work_received', 'Check prices', 'Ruma', null, false],
      ],
    )
    const first = await api.as(buyer).get('/my-notifications?category=work&limit=1')
    assert.deepEqual(messages(first.body), ['Rafi submitted work for "Check prices".'])
    const rest = await mine(buyer, `?category=work&limit=1${first.next}`)
    assert.deepEqual(messages(rest), ['Ruma submitted work for "Check prices".'])
    assert.deepEqual(messages(await mine(buyer, '?category=money')), ['You bought 100 coins for $10.00.'])
    assert.deepEqual(messages(await mine(buyer, '?category=account')), ['Your role is now Buyer.'])

    const ids = [all[0]?._id, all[2]?._id]
    const set = async (read: boolean) =>
      (await api.as(buyer).put('/my-notifications/read', { ids, read })).body.modifiedCount
    assert.deepEqual([await set(true), await set(true)], [2, 0])
    assert.deepEqual(
      (await mine(buyer, '?unread=true')).map(({ _id }) => _id),
      [all[1]?._id, all[3]?._id],
    )
    assert.deepEqual(
      (await mine(buyer, '?unread=true&category=work')).map(({ _id }) => _id),
      [all[3]?._id],
    )
    assert.equal(await set(false), 2)
    assert.equal((await mine(buyer, '?unread=true')).length, 4)
  })

  test('those of a category are marked read, and no others', async () => {
    const buyer = await aBuyer(api.database)
    await notifyOf(buyer, 'work_received', { worker: 'Ruma', title: 'Check prices' })
    await notifyOf(buyer, 'role_changed', { role: 'Buyer' })
    await notifyOf(buyer, 'work_received', { worker: 'Rafi', title: 'Check prices' })
    const [newest, , oldest] = await mine(buyer)
    assert.equal(await read(buyer, { category: 'work', upTo: oldest?._id }), 1)
    assert.equal(await read(buyer, { category: 'work', upTo: newest?._id }), 1)
    assert.deepEqual(messages(await mine(buyer, '?unread=true')), ['Your role is now Buyer.'])
    assert.equal(await read(buyer, { category: 'account' }), 1)
  })

  test("another user's notifications are not marked", async () => {
    const [owner, other] = [await aWorker(api.database), await aWorker(api.database)]
    await notify(owner, 'mine')
    const [one] = await mine(owner)
    const body = { ids: [one?._id], read: true }
    assert.equal((await api.as(other).put('/my-notifications/read', body)).body.modifiedCount, 0)
    assert.equal((await mine(owner))[0]?.read, false)
    assert.deepEqual(await mine(other), [])
  })

  test('every category has kinds, and every kind has one category', () => {
    const categories = NotificationCategory.options.map(kindsIn)
    assert.ok(categories.every((kinds) => kinds.length > 0))
    assert.deepEqual(categories.flat().sort(), Object.keys(NOTIFICATION_KINDS).sort())
  })
})
