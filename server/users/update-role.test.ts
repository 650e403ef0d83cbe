import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { describe, test } from 'node:test'
import { useApi } from '#tests/support/api.ts'
import {
  aBuyer,
  anAdmin,
  aPendingSubmission,
  aWorker,
  outcomes,
  type TestUser,
  testConfig,
} from '#tests/support/factories.ts'
import { deleteUser } from './delete.ts'
import { updateRole } from './update-role.ts'

const CLIENT = { network: '192.0.2.1', device: 'Firefox on Linux' }

describe('update role', () => {
  const api = useApi()
  const updateRoleOf = (admin: TestUser, id: string, value: unknown) =>
    api.as(admin).put(`/update-role/${id}`, { value })
  const adminCount = async () => {
    const { rows } = await api.database.pool.query(
      `select id from users where role = 'Admin' and deleted_at is null`,
    )
    return rows.length
  }

  test('a new role applies to the next request, keeps the coins and notifies the user', async () => {
    const admin = await anAdmin(api.database)
    const worker = await aWorker(api.database)
    assert.equal((await api.as(worker).get('/buyer-stats')).status, 403)
    const { body } = await updateRoleOf(admin, worker.id, 'Buyer')
    assert.deepEqual(body, { acknowledged: true, matchedCount: 1, modifiedCount: 1 })
    assert.equal((await api.as(worker).get('/buyer-stats')).status, 200)
    assert.equal((await updateRoleOf(admin, worker.id, 'Buyer')).body.modifiedCount, 0)
    const { body: me } = await api.as(worker).get(`/coin-role/${worker.email}`)
    assert.deepEqual([me.role, me.coin], ['Buyer', 10])
    const notifications = (await api.as(worker).get(`/notifications/${worker.email}`)).body
    assert.deepEqual(
      notifications.map(({ message }: { message: string }) => message),
      ['Your role is now Buyer.'],
    )
  })

  test('a worker who became a Buyer can still revise their work', async () => {
    const admin = await anAdmin(api.database)
    const { buyer, worker, submissionId } = await aPendingSubmission(api.database)
    await api.as(buyer).post(`/submissions/${submissionId}/revision`, { text: 'Please add the date.' })
    await updateRoleOf(admin, worker.id, 'Buyer')
    const revise = (by: TestUser) =>
      api.as(by).put(`/submissions/${submissionId}`, { submissoin_data: 'With the date' })
    assert.equal((await revise(buyer)).status, 404)
    const revised = await revise(worker)
    assert.equal(revised.status, 200, revised.text)
  })

  test('only Admins change roles; unknown users and roles are rejected', async () => {
    const admin = await anAdmin(api.database)
    const buyer = await aBuyer(api.database)
    assert.equal((await updateRoleOf(buyer, buyer.id, 'Admin')).status, 403)
    assert.equal((await updateRoleOf(admin, randomUUID(), 'Admin')).status, 404)
    assert.equal((await updateRoleOf(admin, 'nobody', 'Admin')).status, 404)
    for (const value of ['admin', 'ADMIN', ['Admin'], { role: 'Admin' }, null, 1, '']) {
      const { status } = await updateRoleOf(admin, buyer.id, value)
      assert.ok(status === 400 || status === 422, `${JSON.stringify(value)} is ${status}`)
    }
    assert.equal((await api.as(buyer).get('/admin-stats')).status, 403)
  })

  test('Admins cannot demote themselves, and the last Admin keeps the role', async () => {
    const [one, two] = [await anAdmin(api.database), await anAdmin(api.database)]
    assert.equal((await updateRoleOf(one, one.id, 'Buyer')).body.error.code, 'yourself')
    const { rows } = await api.database.pool.query(
      `select id from users where role = 'Admin' and deleted_at is null and id <> $1`,
      [one.id],
    )
    for (const { id } of rows) assert.equal((await updateRoleOf(one, id, 'Worker')).body.modifiedCount, 1)
    assert.equal((await updateRoleOf(one, one.id, 'Buyer')).body.error.code, 'last_admin')
    assert.equal((await updateRoleOf(two, one.id, 'Buyer')).status, 403)
  })

  test('one Admin remains when Admins demote and delete each other concurrently', async () => {
    for (let round = 0; round < 8; round++) {
      const [one, two, three] = [
        await anAdmin(api.database),
        await anAdmin(api.database),
        await anAdmin(api.database),
      ]
      await api.database.pool.query(
        `update users set role = 'Worker' where role = 'Admin' and id <> all ($1)`,
        [[one.id, two.id, three.id]],
      )
      const { codes } = outcomes(
        await Promise.allSettled([
          updateRole(api.database, testConfig, one.id, 'Worker', two.id, CLIENT),
          updateRole(api.database, testConfig, two.id, 'Buyer', three.id, CLIENT),
          deleteUser(api.database, three.id, one.id),
          updateRole(api.database, testConfig, one.id, 'Buyer', three.id, CLIENT),
          deleteUser(api.database, two.id, one.id),
        ]),
      )
      assert.deepEqual(
        codes.filter((code) => !['role_not_allowed', 'last_admin', 'user_not_found'].includes(code)),
        [],
      )
      assert.ok((await adminCount()) >= 1)
    }
  })
})

describe('promotion where Admins need a second factor', () => {
  const api = useApi({ adminSecondFactor: 'required' })
  const protect = ({ id }: TestUser) =>
    api.database.pool.query(
      `insert into webauthn_credentials (id, identity_id, credential_id, public_key, sign_count, name)
       values (gen_random_uuid(), $1, gen_random_uuid()::text, '', 0, 'Passkey')`,
      [id],
    )

  test('a new Admin needs a verified email and a second factor; other roles do not', async () => {
    const [admin, worker] = [await anAdmin(api.database), await aWorker(api.database)]
    await protect(admin)
    await api.database.pool.query('update identities set email_verified_at = null where id = $1', [worker.id])
    const promote = (value: string) => api.as(admin).put(`/update-role/${worker.id}`, { value })
    assert.equal((await promote('Buyer')).status, 200)
    assert.match((await promote('Admin')).body.error.message, /verify their email/)
    await api.database.pool.query('update identities set email_verified_at = now() where id = $1', [
      worker.id,
    ])
    assert.match((await promote('Admin')).body.error.message, /two-step sign-in/)
    await protect(worker)
    assert.equal((await promote('Admin')).body.modifiedCount, 1)
  })
})
