import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { deleteUser } from '#server/users/delete.ts'
import { useDatabase } from '#tests/support/database.ts'
import { aBuyer, anAdmin, aWorker } from '#tests/support/factories.ts'

describe('locking a user in a role', () => {
  const db = useDatabase()

  for (const name of ['require_role', 'lock_user_in_role'] as const)
    test(`${name} returns the user, and refuses other roles and deleted users`, async () => {
      const { database } = db
      const [worker, buyer, deleted] = [
        await aWorker(database),
        await aBuyer(database),
        await aWorker(database),
      ]
      await deleteUser(database, deleted.id, (await anAdmin(database)).id)
      const call = (id: string) => database.pool.query(`select id from ${name}($1, 'Worker', 'Admin')`, [id])
      assert.deepEqual((await call(worker.id)).rows, [{ id: worker.id }])
      for (const { id } of [buyer, deleted])
        await assert.rejects(call(id), {
          message: 'role_not_allowed',
          detail: '{"roles": ["Worker", "Admin"]}',
        })
    })
})
