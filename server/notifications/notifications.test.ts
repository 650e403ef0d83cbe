import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Notification } from '#contract/notifications.ts'
import { useApi } from '#tests/support/api.ts'
import { aWorker, type TestUser } from '#tests/support/factories.ts'

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
})
