import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import type { FastifyInstance } from 'fastify'
import { ENDPOINTS } from '#contract/api.ts'
import { answerContact } from '#contract/contact.ts'
import { pathOf } from '#contract/endpoint.ts'
import type { Context, RouteContext } from '#server/context.ts'
import { type Database, openDatabase } from '#server/database/database.ts'
import { serve } from '#server/http/serve.ts'
import { startJobs } from '#server/jobs/start.ts'
import { LONG_TIMEOUTS, useDatabase } from '#tests/support/database.ts'
import { aUser } from '#tests/support/factories.ts'
import { anInstance, type Instance } from '#tests/support/instance.ts'
import { BODIES } from './samples.ts'

const CONNECTIONS = 4

/**
 * A write under an idempotency key holds one connection. If a handler waited for a second one, a few concurrent writes
 * would block the pool for everybody until they time out.
 */
describe('concurrent writes under idempotency keys', () => {
  const db = useDatabase()
  let database: Database
  let instance: Instance

  before(async () => {
    database = openDatabase(
      { connectionString: db.url, ...LONG_TIMEOUTS },
      { max: CONNECTIONS, prepare: true },
    )
    instance = await anInstance(database)
    // The runner makes its own tables when it first starts.
    await (await startJobs(instance.context, instance.app.log)).stop()
  })
  after(async () => {
    await instance.close()
    await database.close()
  })

  for (const { name, endpoint } of ENDPOINTS.filter(({ endpoint }) => endpoint.method !== 'GET')) {
    const { method, path, access } = endpoint
    test(`${method} ${path} needs one connection`, async () => {
      const [role = 'Worker'] = typeof access.who === 'string' ? [] : access.who
      const user = await aUser(db.database, role, { coins: 10_000 })
      const authorization = await instance.signIn(user)
      const params = { id: randomUUID(), email: user.email }
      const statuses = await Promise.all(
        Array.from({ length: CONNECTIONS + 2 }, async () => {
          const { statusCode } = await instance.app.inject({
            method,
            url: pathOf(endpoint, params),
            headers: { authorization, 'idempotency-key': randomUUID() },
            ...(BODIES[name] && { payload: BODIES[name](user) }),
          })
          return statusCode
        }),
      )
      assert.ok(
        statuses.every((status) => status < 500),
        statuses.join(),
      )
    })
  }
})

test('a handler that may run in a transaction is not registered with the pool in reach', () => {
  const register = (app: FastifyInstance, context: Context, withoutPool: RouteContext) => {
    const handler = async () => ({ acknowledged: true, matchedCount: 1, modifiedCount: 1 })
    serve(app, withoutPool, answerContact, handler)
    // @ts-expect-error
    serve(app, context, answerContact, handler)
  }
  assert.equal(typeof register, 'function')
})
