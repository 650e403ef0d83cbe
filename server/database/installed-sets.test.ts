import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type pg from 'pg'
import { approveSubmission } from '#server/submissions/approve.ts'
import { openPooled, useDatabase } from '#tests/support/database.ts'
import { eventually } from '#tests/support/eventually.ts'
import { aPendingSubmission, balanceOf } from '#tests/support/factories.ts'
import type { Database } from './database.ts'
import { type FunctionSet, functionSet, inSchema, ownFunctions } from './function-set.ts'
import { lastUsedSchema, recordUses } from './installed-sets.ts'
import { migrate } from './migrate.ts'
import { grantServerPrivileges, SERVER_ROLE } from './server-role.ts'
import { hashOf } from './sql-files.ts'

const MIGRATIONS = undefined
const UNIT = { name: 'test_poisha', sql: 'select poisha_of(100, 120.5) as poisha' }
const SECOND_TRY = { name: 'test_approve', sql: 'select matched from approve_submission($1, $2)' }

describe('versions of the functions side by side', () => {
  const db = useDatabase()

  /** Returns the functions of this version with changes, as the next version has them. */
  function nextVersion(...changes: [from: string, to: string][]): FunctionSet {
    const files = ownFunctions().files.map((file) => ({
      ...file,
      sql: changes.reduce((sql, [from, to]) => sql.replaceAll(from, to), file.sql),
    }))
    const next = functionSet(files)
    assert.notEqual(next.schema, ownFunctions().schema)
    return next
  }
  /** Opens a pool of an instance that has these functions. */
  async function instanceOf(functions: FunctionSet): Promise<Database> {
    await grantServerPrivileges(db.owner, SERVER_ROLE)
    return openPooled(db.url, {}, 4, functions)
  }
  const poisha = async (database: Database) => (await database.run<{ poisha: number }>(UNIT, []))[0]?.poisha
  /** Everything that a start may change: functions, triggers and what is recorded of them. */
  async function state(pool: pg.Pool): Promise<unknown> {
    const { rows } = await pool.query(
      `select (select json_agg(array[oid::regprocedure::text, xmin::text] order by oid) from pg_proc where pronamespace::regnamespace::text ~ '^(functions_|public)') as functions,
              (select json_agg(array[tgname::text, xmin::text] order by oid) from pg_trigger) as triggers,
              (select json_agg(name order by name) from schema_migrations) as migrations,
              (select json_agg(schema_name order by schema_name) from function_sets) as sets,
              (select json_agg(to_jsonb(installed)) from schema_functions as installed) as installed`,
    )
    return rows[0]
  }
  async function definitionsIn(schema: string): Promise<Map<string, string>> {
    const { rows } = await db.owner.query<{ name: string; version: string }>(
      `select proname as name, oid || '/' || xmin as version from pg_proc where pronamespace = $1::text::regnamespace`,
      [schema],
    )
    return new Map(rows.map(({ name, version }) => [name, version]))
  }

  test('an instance calls the functions of its own version, before and after another version starts', async () => {
    const before = await definitionsIn(ownFunctions().schema)
    const one = await aPendingSubmission(db.database)
    const two = await aPendingSubmission(db.database)
    const next = nextVersion(
      ['round(p_cents * p_rate)', 'round(2 * p_cents * p_rate)'],
      [
        'function approve_submission(p_submission uuid,',
        'function approve_submission(p_reason text, p_submission uuid,',
      ],
    )
    assert.equal(await poisha(db.database), 12_050)
    await migrate(db.owner, MIGRATIONS, next)
    const newer = await instanceOf(next)
    try {
      const found = await Promise.all(
        Array.from({ length: 40 }, (_, turn) => poisha(turn % 2 === 0 ? db.database : newer)),
      )
      assert.deepEqual(
        found,
        found.map((_, turn) => (turn % 2 === 0 ? 12_050 : 24_100)),
      )
      await approveSubmission(db.database, one.submissionId, one.buyer.id)
      await assert.rejects(
        newer.run(SECOND_TRY, [two.submissionId, two.buyer.id]),
        /function functions_\w+\.approve_submission\(.+\) does not exist/,
      )
      const changed = {
        ...SECOND_TRY,
        name: 'test_next',
        sql: `select matched from approve_submission('', $1, $2)`,
      }
      await newer.run(changed, [two.submissionId, two.buyer.id])
      for (const { worker } of [one, two]) assert.equal(await balanceOf(db.database, worker), 20)
    } finally {
      await newer.close()
    }
    assert.deepEqual(await definitionsIn(ownFunctions().schema), before)
  })

  test('a start that fails changes nothing and names the function', async () => {
    const before = await state(db.owner)
    const broken = nextVersion([
      'returns bigint language sql immutable as',
      'returns no_such_type language sql as',
    ])
    await assert.rejects(
      migrate(db.owner, MIGRATIONS, broken),
      /^error: The function \w+ cannot be installed: .+no_such_type/,
    )
    const failing = nextVersion([
      'function complete_operator_settings(',
      'function complete_operator_settings(p_more int, ',
    ])
    await assert.rejects(migrate(db.owner, MIGRATIONS, failing), /complete_operator_settings/)
    assert.deepEqual(await state(db.owner), before)
  })

  test('instances of one version and of two may start at once', async () => {
    const one = nextVersion(['round(p_cents * p_rate)', 'round(3 * p_cents * p_rate)'])
    const other = nextVersion(['round(p_cents * p_rate)', 'round(4 * p_cents * p_rate)'])
    await Promise.all([one, other, one, other].map((set) => migrate(db.owner, MIGRATIONS, set)))
    for (const [set, expected] of [
      [one, 36_150],
      [other, 48_200],
    ] as const) {
      const installed = await definitionsIn(set.schema)
      assert.equal(installed.size, set.names.size)
      await migrate(db.owner, MIGRATIONS, set)
      assert.deepEqual(await definitionsIn(set.schema), installed)
      const instance = await instanceOf(set)
      assert.equal(await poisha(instance), expected)
      await instance.close()
    }
  })

  test('instances of the last version that had its functions in public continue to run', async () => {
    await asBeforeFunctionSets()
    const older = openPooled(db.url, {}, 4, inSchema(ownFunctions(), 'public'))
    try {
      const one = await aPendingSubmission(older)
      const before = await definitionsIn('public')
      assert.equal(await lastUsedSchema(db.owner), 'public')
      await migrate(
        db.owner,
        MIGRATIONS,
        nextVersion(['round(p_cents * p_rate)', 'round(5 * p_cents * p_rate)']),
      )
      await migrate(db.owner)
      await grantServerPrivileges(db.owner, SERVER_ROLE)
      const shared = ownFunctions()
        .shared.map(({ sql }) => sql)
        .join('')
      const changed = [...(await definitionsIn('public'))].filter(
        ([name, version]) => before.get(name) !== version,
      )
      assert.deepEqual(
        changed.filter(([name]) => !shared.includes(`function ${name}(`)),
        [],
      )
      assert.equal(await poisha(older), 12_050)
      await approveSubmission(older, one.submissionId, one.buyer.id)
      const two = await aPendingSubmission(db.database)
      await approveSubmission(older, two.submissionId, two.buyer.id)
      assert.equal(await balanceOf(older, two.worker), 20)
    } finally {
      await older.close()
    }
  })

  test('functions that no instance has used for a day are dropped, unless something depends on them', async () => {
    const [unused, used, needed] = [6, 7, 8].map((factor) =>
      nextVersion(['round(p_cents * p_rate)', `round(${factor} * p_cents * p_rate)`]),
    ) as [FunctionSet, FunctionSet, FunctionSet]
    for (const set of [unused, used, needed]) await migrate(db.owner, MIGRATIONS, set)
    await db.owner.query(`create view report as select ${needed.qualify('poisha_of(1, 1)')} as poisha`)
    await db.owner.query(
      `update function_sets set used_at = now() - interval '1 day 1 minute' where schema_name = any ($1)`,
      [[unused.schema, needed.schema, ownFunctions().schema]],
    )
    await Promise.all([1, 2].map(() => migrate(db.owner)))
    const { rows } = await db.owner.query<{ schema: string }>(
      `select nspname as schema from pg_namespace where nspname ~ '^functions_'
       intersect select schema_name from function_sets`,
    )
    const schemas = new Set(rows.map(({ schema }) => schema))
    assert.deepEqual(
      [unused, used, needed, ownFunctions()].map(({ schema }) => schemas.has(schema)),
      [false, true, true, true],
    )
    assert.equal(await lastUsedSchema(db.owner), ownFunctions().schema)
    await db.owner.query('drop view report')
  })

  test('each instance records by the minute that it uses its functions, in the role of the server', async (t) => {
    t.mock.timers.enable({ apis: ['setInterval'] })
    const instance = await instanceOf(ownFunctions())
    await db.owner.query(`update function_sets set used_at = 'epoch'`)
    const recentUses = async () => {
      const { rows } = await db.owner.query<{ schema: string }>(
        `select schema_name as schema from function_sets where used_at > 'epoch'`,
      )
      return rows.map(({ schema }) => schema)
    }
    const stop = recordUses(instance)
    try {
      t.mock.timers.tick(60_000)
      await eventually(async () => (await recentUses()).length > 0)
      assert.deepEqual(await recentUses(), [ownFunctions().schema])
    } finally {
      stop()
      await instance.close()
    }
  })

  test('functions that somebody dropped are installed again by the next start', async () => {
    await db.owner.query(ownFunctions().qualify('drop function poisha_of(bigint, numeric)'))
    await assert.rejects(poisha(db.database), /poisha_of/)
    await migrate(db.owner)
    assert.equal(await poisha(db.database), 12_050)
  })

  /** Changes the database into one of version 0.3, which has all functions in `public`. */
  async function asBeforeFunctionSets(): Promise<void> {
    await db.owner.query('set check_function_bodies = off')
    const { rows } = await db.owner.query<{ schema: string }>(
      'select schema_name as schema from function_sets',
    )
    for (const { schema } of rows) await db.owner.query(`drop schema ${schema} cascade`)
    const files = Object.fromEntries(
      ownFunctions().files.map(({ path, sql }) => [path, { sha256: hashOf(sql), definitions: '' }]),
    )
    for (const { sql } of ownFunctions().files) await db.owner.query(`set search_path = public; ${sql}`)
    await db.owner.query('reset all')
    await db.owner.query(
      `drop table function_sets; delete from schema_migrations where name = '0283_function_sets.sql'`,
    )
    await db.owner.query(`update schema_functions set sha256 = 'of 0.3', files = $1`, [JSON.stringify(files)])
  }
})
