import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { useDatabase } from '#tests/support/database.ts'
import { type FunctionSet, functionSet, ownFunctions } from './function-set.ts'

/** Functions that a trigger calls, of which the database has one version. Its previous version must do without a change of theirs. */
const SHARED = [
  'add_item_pictures',
  'card_clearing_account',
  'enqueue_api_event',
  'enqueue_submission_event',
  'event_listeners',
  'included_tax',
  'is_frozen',
  'is_spending',
  'iso_time',
  'issue_missing_receipts',
  'issue_receipt',
  'locked_starting_coins',
  'mark_agreement_due',
  'operator_setting',
  'paid_out_account',
  'pay_debt',
  'payout_batch_transitions',
  'payout_transitions',
  'platform_account',
  'receipt_number',
  'receipt_seller',
  'refuse',
  'returns_coins',
  'search_terms_of',
  'submission_transitions',
  'transfer',
  'weakens_two_admin_rule',
]

describe('the functions of a version', () => {
  const db = useDatabase()

  test('get their schema where SQL calls or creates them, and nowhere else', () => {
    const { schema, qualify } = setOf(`
      create or replace function price() returns int language sql as $$ select 1 $$;
      create or replace function "no"() returns int language sql as $$ select 1 $$`)
    for (const [sql, expected] of [
      [
        'select price(), price (), 2*price()',
        `select ${schema}.price(), ${schema}.price (), 2*${schema}.price()`,
      ],
      ['select price from prices where price in (1) and other_price()', undefined],
      [`select 'price()', "price"(), public.price(), prices(1)`, undefined],
    ] as const)
      assert.equal(qualify(sql), expected ?? sql)
  })

  test('are another set when a file changes', () => {
    const one = setOf('create or replace function price() returns int language sql as $$ select 1 $$;')
    const other = setOf('create or replace function price() returns int language sql as $$ select 2 $$;')
    assert.notEqual(one.schema, other.schema)
  })

  test('are shared when a trigger needs them', () => {
    const { names, shared, sql, schema } = setOf(`
      -- Called by the trigger; with a semicolon
      create or replace function rule(p_text text default ';') returns int language sql as $$ select deeper(); $$;
      create or replace function deeper() returns int language sql as $body$ select 1; $body$;
      create or replace function other() returns int language sql as 'select deeper();';
      create or replace function guard() returns trigger language plpgsql as $$ begin perform rule('a'); return new; end $$;
      create or replace trigger guarded before insert on users for each row execute function guard();`)
    assert.deepEqual([...names], ['rule', 'deeper', 'other'])
    assert.equal(shared.length, 1)
    const text = shared[0]?.sql ?? ''
    assert.match(
      text,
      /function rule.+select deeper.+function guard.+perform rule.+create or replace trigger guarded/s,
    )
    assert.doesNotMatch(text, /other/)
    assert.match(
      sql,
      new RegExp(`function ${schema}\\.rule.+select ${schema}\\.deeper.+function ${schema}\\.other`, 's'),
    )
    assert.doesNotMatch(sql, /guard/)
  })

  test('that triggers need are listed', () => {
    const names = ownFunctions().shared.flatMap(({ sql }) =>
      Array.from(
        sql.matchAll(/create or replace function (\w+)[^$]*?returns (\w+)/g),
        ([, name = '', type]) => (type === 'trigger' ? '' : name),
      ),
    )
    assert.deepEqual(names.filter(Boolean).toSorted(), SHARED)
  })

  test('are not named like a table, a type or a function of PostgreSQL', async () => {
    const { rows } = await db.owner.query<{ name: string }>(
      `select proname as name from pg_proc where pronamespace = 'pg_catalog'::regnamespace and proname = any ($1)
       union select typname from pg_type where typname = any ($1)
       union select word from pg_get_keywords() where word = any ($1)`,
      [[...ownFunctions().names]],
    )
    assert.deepEqual(rows, [])
  })

  test('are not called by dynamic SQL', () => {
    const { sql, names } = ownFunctions()
    const inText = Array.from(sql.matchAll(/['"](\w+)['"(]/g), ([, name = '']) => name)
    assert.deepEqual(
      inText.filter((name) => names.has(name)),
      [],
    )
    const executed = Array.from(
      sql.matchAll(/^.*\bexecute\s+(?!format\('(revoke|grant) )[^;]*$/gm),
      ([line]) => line,
    )
    assert.deepEqual(executed, [])
  })

  test('find each other without a search path', async () => {
    const client = await db.owner.connect()
    try {
      // PostgreSQL resolves the names in SQL functions now, and those in PL/pgSQL when they run.
      await client.query('begin; set local search_path = public; set local check_function_bodies = on')
      await client.query(ownFunctions().sql)
      const { rows } = await client.query(
        `select pg_describe_object(classid, objid, objsubid) as dependent from pg_depend
          where refclassid = 'pg_proc'::regclass and classid <> 'pg_proc'::regclass
            and refobjid in (select oid from pg_proc where pronamespace = $1::text::regnamespace)`,
        [ownFunctions().schema],
      )
      assert.deepEqual(rows, [], 'a set can be dropped')
    } finally {
      await client.query('rollback')
      client.release()
    }
  })
})

function setOf(sql: string): FunctionSet {
  return functionSet([{ path: 'prices.sql', name: 'prices.sql', sql }])
}
