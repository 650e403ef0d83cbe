import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type pg from 'pg'
import { openDatabase } from '#server/database/database.ts'
import { growsIn, type Plan } from './load/plans/judge.ts'
import { growingStatements, REASONS, WHILE_FEW } from './load/plans/statements.ts'
import { fill } from './load/world/build.ts'
import { shapeOf } from './load/world/shape.ts'
import { useDatabase } from './support/database.ts'

// `node tests/load/plans.ts` asks the same of a large database.
describe('the plans of the statements', () => {
  const db = useDatabase()

  before(async () => {
    const patient = openDatabase({ connectionString: db.url, query_timeout: 0 }, { max: 1, prepare: true })
    await fill(patient, shapeOf(1000, 600), () => {})
    await patient.close()
  })

  async function withClient<Result>(work: (client: pg.PoolClient) => Promise<Result>): Promise<Result> {
    const client = await db.database.pool.connect()
    try {
      return await work(client)
    } finally {
      client.release(true)
    }
  }

  test('every statement uses an index and keyset pagination, or has a reason not to', async () => {
    const growing = await withClient((client) => growingStatements(client, [...REASONS, ...WHILE_FEW]))
    assert.deepEqual([...growing], [])
  })

  test('a statement without an index is detected', async () => {
    const found = await withClient(async (client) => {
      const { rows } = await client.query<{ 'QUERY PLAN': [{ Plan: Plan }] }>(
        'explain (generic_plan, format json) select count(*) from tasks where title = $1',
      )
      return growsIn(rows[0]?.['QUERY PLAN'][0].Plan as Plan, () => true)
    })
    assert.equal(found.length, 1)
  })
})
