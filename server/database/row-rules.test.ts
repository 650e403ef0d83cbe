import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { useDatabase } from '#tests/support/database.ts'
import { ownFunctions } from './function-set.ts'
import { migrate } from './migrate.ts'

type Rules = {
  table: string
  constraint: string
  /** Values of each column at and beside every limit. */
  values: Record<string, string>
  /** The check constraints that the function replaced, as PostgreSQL showed them, without the limit of slots that 0464 removed. */
  replaced: readonly string[]
}

const TIME = `array[null, now()]::timestamptz[]`
const RULES: Rules[] = [
  {
    table: 'tasks',
    constraint: 'tasks_valid',
    values: {
      category: `array['data_entry', 'other', 'unknown', '']`,
      reward: 'array[0, 1, 1000000, 1000001]::bigint[]',
      slots: 'array[0, 1, 100000, 100001]',
      slots_left: 'array[-1, 0, 1, 2]',
      version: 'array[0, 1]',
      review_hours: 'array[null, 0, 1, 504, 505]',
      reservation_minutes: 'array[4, 5, 1440, 1441]',
      closed_at: TIME,
      close_reason: `array[null, 'deleted']::closing_reason[]`,
      deleted_at: TIME,
      held_at: TIME,
    },
    replaced: [
      `category in ('data_entry', 'research', 'survey', 'writing', 'translation', 'transcription', 'design', 'photo_video',
         'labeling', 'testing', 'social_media', 'local', 'other')`,
      'closed_at is null or slots_left = 0',
      '(closed_at is null) = (close_reason is null)',
      'deleted_at is null or closed_at is not null',
      'held_at is null or closed_at is null',
      'reservation_minutes >= 5 and reservation_minutes <= 1440',
      'review_hours >= 1 and review_hours <= 504',
      'reward >= 1 and reward <= 1000000',
      'slots >= 1',
      'slots_left >= 0 and slots_left <= slots',
      'version >= 1',
    ],
  },
  {
    table: 'submissions',
    constraint: 'submissions_valid',
    values: {
      status: 'enum_range(null::submission_status)',
      decided_at: TIME,
      decided_by: 'array_prepend(null, enum_range(null::decider))',
      reward: 'array[-1, 0, 1]::bigint[]',
      task_version: 'array[0, 1]',
    },
    replaced: [
      `(status in ('approved', 'rejected')) = (decided_at is not null and decided_by is not null)`,
      'reward > 0',
      'task_version >= 1',
    ],
  },
  {
    table: 'ledger_accounts',
    constraint: 'ledger_accounts_valid',
    values: {
      kind: 'enum_range(null::account_kind)',
      balance: 'array[-1, 0, 1]::bigint[]',
      debt: 'array[-1, 0, 1]::bigint[]',
    },
    replaced: [
      `debt >= 0 and (debt = 0 or kind = 'user')`,
      'balance >= 0',
      `kind in ('user', 'escrow', 'hold') or balance = 0`,
    ],
  },
]

// docs/decisions/0109-row-rules.md
describe('the rules of rows', () => {
  const db = useDatabase()

  for (const { table, constraint, values, replaced } of RULES)
    test(`${constraint} accepts what the constraints that it replaced accepted, and nothing else`, async () => {
      const { rows: defined } = await db.owner.query<{ condition: string }>(
        `select pg_get_expr(conbin, conrelid) as condition from pg_constraint where conrelid = $1::regclass and conname = $2`,
        [table, constraint],
      )
      const columns = Object.entries(values)
      const { rows } = await db.owner.query<{ accepted: number; rejected: number; different: number }>(
        // A check accepts null.
        `select count(*) filter (where is_valid)::int as accepted, count(*) filter (where not is_valid)::int as rejected,
                count(*) filter (where is_valid is distinct from was_valid)::int as different
           from (select ${defined[0]?.condition} is not false as is_valid,
                        ${replaced.map((rule) => `((${rule}) is not false)`).join(' and ')} as was_valid
                   from ${columns.map(([column, array]) => `unnest(${array}) as ${column}_values (${column})`).join(', ')}) as combinations`,
      )
      assert.equal(rows[0]?.different, 0)
      assert.ok(rows[0].accepted > 0 && rows[0].rejected > 0, 'some rows are valid')
    })

  test('every category of the replaced constraint is valid', async () => {
    const [inList = ''] = RULES[0]?.replaced ?? []
    const categories = Array.from(inList.matchAll(/'(\w+)'/g), ([, category]) => category)
    const { rows } = await db.owner.query<{ category: string }>(
      `select category from unnest($1::text[]) as category
        where not is_valid_task_row(category, 1, 1, 0, 1, null, 5, null, null, null, null)`,
      [categories],
    )
    assert.equal(categories.length, 13)
    assert.deepEqual(rows, [])
  })

  test('are all validated, and their functions belong to migrations, which never change', async () => {
    const { rows } = await db.owner.query<{ name: string; is_validated: boolean; functions: string[] }>(
      `select conname as name, convalidated as is_validated,
              array(select proname::text from pg_depend join pg_proc on pg_proc.oid = refobjid
                     where classid = 'pg_constraint'::regclass and objid = pg_constraint.oid and refclassid = 'pg_proc'::regclass) as functions
         from pg_constraint where contype = 'c' and connamespace = 'public'::regnamespace`,
    )
    const { names, shared } = ownFunctions()
    const changing = rows
      .flatMap(({ functions }) => functions)
      .filter((name) => names.has(name) || shared.some(({ sql }) => sql.includes(`function ${name}(`)))
    assert.deepEqual(
      rows.filter(({ is_validated }) => !is_validated).map(({ name }) => name),
      [],
    )
    assert.deepEqual(changing, [])
    assert.deepEqual([...new Set(rows.flatMap(({ functions }) => functions))].toSorted(), [
      'is_valid_account',
      'is_valid_submission',
      'is_valid_task_row',
    ])
  })

  test('are validated by the next start after an upgrade that ended before', async () => {
    const isValidated = async () => {
      const { rows } = await db.owner.query<{ convalidated: boolean }>(
        `select convalidated from pg_constraint where conrelid = 'submissions'::regclass and conname = 'submissions_named'`,
      )
      return rows[0]?.convalidated
    }
    await db.owner.query(
      `alter table submissions add constraint submissions_named check (text <> 'x') not valid`,
    )
    assert.equal(await isValidated(), false)
    await migrate(db.owner)
    assert.equal(await isValidated(), true)
  })
})
