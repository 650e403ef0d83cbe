import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { describe, test } from 'node:test'
import { useApi } from '#tests/support/api.ts'
import { aBuyer, anAdmin, aWorker } from '#tests/support/factories.ts'

describe('an Admin and the sessions of users', () => {
  const api = useApi()

  /** A worker who is signed in twice, and an Admin. */
  async function aScene() {
    const worker = await aWorker(api.database)
    const admin = await anAdmin(api.database)
    const devices = [await api.instance.signIn(worker), await api.instance.signIn(worker)]
    await api.database.pool.query(
      `update sessions set device = 'Firefox on Linux', network = '203.0.113.7' where identity_id = $1`,
      [worker.id],
    )
    const statuses = () =>
      Promise.all(devices.map(async (device) => (await api.withHeader(device).get('/auth/identity')).status))
    return { worker, admin, client: api.as(admin), path: `/users/${worker.id}/sessions`, statuses }
  }
  const lastAction = async (client: ReturnType<typeof api.as>) => {
    const [{ act, subject, details }] = (await client.get('/admin-record?limit=1')).body
    return { act, subject, details }
  }

  test('sees where the user is signed in', async () => {
    const { worker, client, path } = await aScene()
    const { body } = await client.get(path)
    assert.deepEqual(body.user, { _id: worker.id, name: worker.name, email: worker.email })
    assert.equal(body.sessions.length, 2)
    const [{ device, network, current }] = body.sessions
    assert.deepEqual(
      { device, network, current },
      { device: 'Firefox on Linux', network: '203.0.113.7', current: false },
    )
  })

  test('ends one session; its token stops at once, the others stay, and it is logged', async () => {
    const { worker, client, path, statuses } = await aScene()
    const { body } = await client.get(path)
    const [{ _id }] = body.sessions
    assert.equal((await client.delete(`${path}/${_id}`)).status, 204)
    assert.deepEqual(
      (await statuses()).toSorted((a, b) => a - b),
      [200, 401],
    )
    assert.deepEqual(await lastAction(client), {
      act: 'sessions_ended',
      subject: worker.id,
      details: { sessions: 1 },
    })
    assert.equal((await client.delete(`${path}/${_id}`)).body.error.code, 'not_found')
  })

  test('ends all of them, as signing out everywhere does', async () => {
    const { worker, admin, client, path, statuses } = await aScene()
    const versionOf = async () =>
      (
        await api.database.pool.query('select credentials_version as version from identities where id = $1', [
          worker.id,
        ])
      ).rows[0].version
    const before = await versionOf()
    assert.deepEqual((await client.delete(path)).body, { ended: 2 })
    assert.deepEqual(await statuses(), [401, 401])
    assert.equal(await versionOf(), before + 1) // sign-ins in flight fail
    assert.deepEqual((await lastAction(client)).details, { sessions: 2 })
    const [event] = (await client.get('/security-log?limit=1')).body
    assert.deepEqual([event.kind, event.identity, event.actor], ['all_sessions_ended', worker.id, admin.id])
    assert.deepEqual((await client.get(path)).body.sessions, [])
  })

  test('a session of another user, an unknown and a deleted user are not found', async () => {
    const { worker, client, path } = await aScene()
    const other = await aBuyer(api.database)
    await api.instance.signIn(other)
    const { body } = await client.get(`/users/${other.id}/sessions`)
    const [{ _id }] = body.sessions
    assert.equal((await client.delete(`${path}/${_id}`)).body.error.code, 'not_found')
    for (const id of [randomUUID(), worker.id]) {
      if (id === worker.id) await client.delete(`/delete-user/${id}`)
      for (const response of [
        await client.get(`/users/${id}/sessions`),
        await client.delete(`/users/${id}/sessions`),
      ])
        assert.equal(response.body.error.code, 'user_not_found')
    }
  })
})
