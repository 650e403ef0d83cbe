import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { describe, test } from 'node:test'
import { useApi } from '#tests/support/api.ts'
import { aBuyer, anAdmin, aWorker, outcomes, type Person } from '#tests/support/factories.ts'
import { deleteUser } from './delete.ts'
import { updateRole } from './update-role.ts'

describe('changing roles', () => {
  const api = useApi()
  const give = (admin: Person, id: string, value: unknown) =>
    api.as(admin).put(`/update-role/${id}`, { value })
  const adminsLeft = async () => {
    const { rows } = await api.database.pool.query(
      `select id from users where role = 'Admin' and deleted_at is null`,
    )
    return rows.length
  }

  test('a new role counts at the next call, keeps the coins, and is told', async () => {
    const admin = await anAdmin(api.database)
    const worker = await aWorker(api.database)
    assert.equal((await api.as(worker).get('/buyer-stats')).status, 403)
    const { body } = await give(admin, worker.id, 'Buyer')
    assert.deepEqual(body, { acknowledged: true, matchedCount: 1, modifiedCount: 1 })
    assert.equal((await api.as(worker).get('/buyer-stats')).status, 200)
    assert.equal((await give(admin, worker.id, 'Buyer')).body.modifiedCount, 0)
    const { body: me } = await api.as(worker).get(`/coin-role/${worker.email}`)
    assert.deepEqual([me.role, me.coin], ['Buyer', 10])
    const notices = (await api.as(worker).get(`/notifications/${worker.email}`)).body
    assert.deepEqual(
      notices.map(({ message }: { message: string }) => message),
      ['Your role is now Buyer.'],
    )
  })

  test('nobody but an Admin promotes anybody; unknown people and roles are refused', async () => {
    const admin = await anAdmin(api.database)
    const buyer = await aBuyer(api.database)
    assert.equal((await give(buyer, buyer.id, 'Admin')).status, 403)
    assert.equal((await give(admin, randomUUID(), 'Admin')).status, 404)
    assert.equal((await give(admin, 'nobody', 'Admin')).status, 404)
    for (const value of ['admin', 'ADMIN', ['Admin'], { role: 'Admin' }, null, 1, '']) {
      const { status } = await give(admin, buyer.id, value)
      assert.ok(status === 400 || status === 422, `${JSON.stringify(value)} is ${status}`)
    }
    assert.equal((await api.as(buyer).get('/admin-stats')).status, 403)
  })

  test('nobody demotes themselves, and the last Admin stays', async () => {
    const [one, two] = [await anAdmin(api.database), await anAdmin(api.database)]
    assert.equal((await give(one, one.id, 'Buyer')).body.error.code, 'yourself')
    const { rows } = await api.database.pool.query(
      `select id from users where role = 'Admin' and deleted_at is null and id <> $1`,
      [one.id],
    )
    for (const { id } of rows) assert.equal((await give(one, id, 'Worker')).body.modifiedCount, 1)
    assert.equal((await give(one, one.id, 'Buyer')).body.error.code, 'last_admin')
    assert.equal((await give(two, one.id, 'Buyer')).status, 403)
  })

  test('Admins who demote and delete each other at once leave one', async () => {
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
          updateRole(api.database, one.id, 'Worker', two.id),
          updateRole(api.database, two.id, 'Buyer', three.id),
          deleteUser(api.database, three.id, one.id),
          updateRole(api.database, one.id, 'Buyer', three.id),
          deleteUser(api.database, two.id, one.id),
        ]),
      )
      assert.deepEqual(
        codes.filter((code) => !['role_not_allowed', 'last_admin', 'user_not_found'].includes(code)),
        [],
      )
      assert.ok((await adminsLeft()) >= 1)
    }
  })
})
