import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type pg from 'pg'
import { openDatabase, STATEMENTS } from '#server/database/database.ts'
import { ownFunctions } from '#server/database/function-set.ts'
import { startPartition } from '#server/database/partitions.ts'
import { growsIn, type Plan } from './load/plans/judge.ts'
import { growingStatements, REASONS, WHILE_FEW } from './load/plans/statements.ts'
import { fill } from './load/world/build.ts'
import { shapeOf } from './load/world/shape.ts'
import { useDatabase } from './support/database.ts'

type ExecutedPlan = Omit<Plan, 'Plans'> & { 'Actual Loops': number; Plans?: ExecutedPlan[] }

/** A quarter of the time of a world's submissions. */
const QUARTER_MS = 180 * 86_400_000

/** Returns the tables that a plan has read. */
function scannedBy(plan: ExecutedPlan | undefined): string[] {
  if (plan === undefined || plan['Actual Loops'] === 0) return []
  return [plan['Relation Name'] ?? [], ...(plan.Plans ?? []).map(scannedBy)].flat()
}

// `node tests/load/plans.ts` asks the same of a large database.
describe('the plans of the statements', () => {
  const db = useDatabase({ isNew: true })

  before(async () => {
    const shape = shapeOf(1000, 600)
    for (let number = 1; number < 4; number++) {
      await startPartition(db.owner, `notifications_${number}`, 800)
      await startPartition(db.owner, `ledger_transfers_${number}`, 3000)
      await startPartition(db.owner, `submissions_${number}`, (number === 1 ? shape.began : 0) + QUARTER_MS)
    }
    const patient = openDatabase({ connectionString: db.url, query_timeout: 0 }, { max: 1, prepare: true })
    await fill(patient, shape, () => {})
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

  test('the first page of notifications in several partitions reads the newest ones until it is full', async () => {
    const { rows } = await db.owner.query<{ user_id: string; partitions: number }>(
      `select user_id, count(distinct tableoid)::int as partitions from notifications
        group by user_id order by partitions desc, count(*) desc limit 1`,
    )
    const [user] = rows
    assert.ok(user !== undefined && user.partitions > 2)
    const scanned = await withClient(async (client) => {
      await client.query('set plan_cache_mode = force_generic_plan')
      await client.query(`prepare first_page as ${STATEMENTS.get('my_notifications')?.sql}`)
      const explained = await client.query<{ 'QUERY PLAN': [{ Plan: ExecutedPlan }] }>(
        `explain (analyze, format json) execute first_page ('${user.user_id}', null, 1)`,
      )
      return scannedBy(explained.rows[0]?.['QUERY PLAN'][0].Plan)
    })
    assert.ok(scanned.length > 0 && scanned.length < user.partitions, scanned.join())
    assert.ok(!scanned.includes('notifications_1'))
  })

  test('a transfer is found by its kind and reference in one of several partitions', async () => {
    const { rows } = await db.owner.query<{ id: string; name: string; partitions: number }>(
      `select payments.id, transfers.tableoid::regclass::text as name,
              (select count(distinct tableoid)::int from ledger_transfers) as partitions
         from payments join ledger_transfers as transfers on kind = 'coins_bought' and ref = payments.id
        order by transfers.id limit 1`,
    )
    const [payment] = rows
    assert.ok(payment !== undefined && payment.partitions > 2)
    const scanned = await withClient(async (client) => {
      await client.query('set plan_cache_mode = force_generic_plan')
      await client.query(
        `prepare by_key (uuid) as select amount from ledger_transfers
          where id = (select transfer_id from transfer_keys where kind = 'coins_bought' and ref = $1)`,
      )
      const explained = await client.query<{ 'QUERY PLAN': [{ Plan: ExecutedPlan }] }>(
        `explain (analyze, format json) execute by_key ('${payment.id}')`,
      )
      return scannedBy(explained.rows[0]?.['QUERY PLAN'][0].Plan)
    })
    assert.deepEqual(scanned.toSorted(), [payment.name, 'transfer_keys'])
  })

  test('a picture is looked for in the work with URLs by an index', async () => {
    const plan = await withClient(async (client) => {
      await client.query('set enable_seqscan = off')
      const { rows } = await client.query<{ 'QUERY PLAN': string }>(
        `explain (generic_plan) ${STATEMENTS.get('images_lock_unused')?.sql}`,
      )
      return rows.map((row) => row['QUERY PLAN']).join('\n')
    })
    const { rows } = await db.owner.query<{ name: string }>(
      `select inhrelid::regclass::text as name from pg_inherits where inhparent = 'submissions_with_pictures'::regclass`,
    )
    assert.equal(rows.length, 4)
    for (const { name } of rows) assert.ok(plan.includes(` on ${name} `), `${name} in ${plan}`)
  })

  test('an account of a request, a destination or a failed payout is found by its indexes', async () => {
    const client = await db.owner.connect()
    try {
      // Without foreign keys: the requests have no accounts.
      await client.query(
        `begin;
         set local session_replication_role = replica;
         insert into withdrawals (id, worker_id, coins, amount_cents, payment_system, account_number, hold_id, requested_on)
         select gen_random_uuid(), gen_random_uuid(), 200, 1000, 'Bkash', '01' || 700000000 + number, -number, current_date
           from generate_series(1, 5000) as number;
         insert into payout_destinations (id, user_id, slot, payment_system, account_number, holder_name, usable_at)
         select gen_random_uuid(), worker_id, 1, 'Bkash', account_number, 'Rahim ' || account_number, now() from withdrawals where hold_id < 0;
         insert into payouts (id, batch_id, withdrawal_id, attempt, reference, state, payment_system, account_number, coins, cents, source,
                              sent_at, settled_at)
         select gen_random_uuid(), gen_random_uuid(), id, 1, id, 'failed', 'Bkash', account_number, 200, 1000, 'admin', now(), now()
           from withdrawals where hold_id < 0;
         analyze withdrawals; analyze payout_destinations; analyze payouts`,
      )
      for (const name of ['users_by_trace', 'users_table_joined_desc_search']) {
        const { rows } = await client.query<{ 'QUERY PLAN': string }>(
          `explain (generic_plan) ${ownFunctions().qualify(STATEMENTS.get(name)?.sql ?? '')}`,
        )
        const plan = rows.map((row) => row['QUERY PLAN']).join('\n')
        for (const index of ['withdrawals', 'payout_destinations', 'failed_payouts'])
          assert.ok(plan.includes(` on ${index}_by_accounts `), `${index} in ${name}: ${plan}`)
        assert.ok(plan.includes(' payout_destinations_by_holder '), `${name}: ${plan}`)
      }
    } finally {
      await client.query('rollback')
      client.release()
    }
  })

  test('views of tasks that closed are found by keys', async () => {
    const statements = [...STATEMENTS.values()].filter(({ name }) => name.startsWith('purge_task_viewers'))
    assert.ok(statements.length > 0)
    const client = await db.owner.connect()
    try {
      await client.query(
        `begin;
         insert into task_viewers select tasks.id, workers.id
           from (select id from tasks limit 200) as tasks, (select id from users where role = 'Worker' limit 100) as workers;
         analyze task_viewers;
         set local enable_seqscan = off; set local enable_mergejoin = off; set local enable_hashjoin = off`,
      )
      for (const { name, sql } of statements) {
        const { rows } = await client.query<{ 'QUERY PLAN': string }>(
          `explain (generic_plan) ${ownFunctions().qualify(sql)}`,
        )
        const plan = rows.map((row) => row['QUERY PLAN'])
        const whole = plan.filter(
          (line, index) =>
            /Seq Scan on|Index (Only )?Scan/.test(line) && !plan[index + 1]?.includes('Index Cond'),
        )
        assert.deepEqual(whole, [], `${name}: ${plan.join('\n')}`)
      }
    } finally {
      await client.query('rollback')
      client.release()
    }
  })

  test('the last decisions of a buyer are read in their order from the index of each partition', async () => {
    const plan = await withClient(async (client) => {
      const found = await client.query<{ body: string }>(
        `select replace(replace(replace(prosrc, 'p_buyer', '$1'), 'p_recent', '$2'), 'p_percent', '$3') as body
           from pg_proc where proname = 'may_reject_alone'`,
      )
      const { rows } = await client.query<{ 'QUERY PLAN': string }>(
        `explain (generic_plan) ${found.rows[0]?.body}`,
      )
      return rows.map((row) => row['QUERY PLAN']).join('\n')
    })
    const { rows } = await db.owner.query<{ name: string }>(
      `select inhrelid::regclass::text as name from pg_inherits where inhparent = 'submissions_decided_of_buyer'::regclass`,
    )
    assert.equal(rows.length, 4)
    for (const { name } of rows) assert.ok(plan.includes(`using ${name} `), `${name} in ${plan}`)
    assert.doesNotMatch(plan, /Sort {2}\(/)
  })

  for (const status of ['any', 'one'])
    test(`a search of payments of ${status} status finds those of each user by an index of the user`, async () => {
      const plan = await withClient(async (client) => {
        await client.query('set enable_seqscan = off')
        const { rows } = await client.query<{ 'QUERY PLAN': string }>(
          `explain (generic_plan) ${STATEMENTS.get(`payments_search_of_${status}`)?.sql}`,
        )
        return rows.map((row) => row['QUERY PLAN']).join('\n')
      })
      assert.match(plan, /payments_of_user/)
      assert.doesNotMatch(plan, /payments_by_time/)
    })

  test('a submission is found and changed by its id in one of several partitions', async () => {
    const { rows } = await db.owner.query<{ id: string; name: string }>(
      `select distinct on (tableoid) id, tableoid::regclass::text as name from submissions order by tableoid, id`,
    )
    assert.equal(rows.length, 4)
    await withClient(async (client) => {
      await client.query('set plan_cache_mode = force_generic_plan')
      await client.query('prepare by_id (uuid) as select * from submissions where id = $1')
      await client.query('prepare change (uuid) as update submissions set reason = reason where id = $1')
      for (const { id, name } of rows)
        for (const execute of [`by_id ('${id}')`, `change ('${id}')`]) {
          const explained = await client.query<{ 'QUERY PLAN': [{ Plan: ExecutedPlan }] }>(
            `explain (analyze, format json) execute ${execute}`,
          )
          const scanned = scannedBy(explained.rows[0]?.['QUERY PLAN'][0].Plan)
          assert.deepEqual(
            [...new Set(scanned)].filter((table) => table !== 'submissions'),
            [name],
            execute,
          )
        }
    })
  })

  test("the first page of a worker's submissions in several partitions reads the newest ones until it is full", async () => {
    const { rows } = await db.owner.query<{ worker_id: string; partitions: number }>(
      `select worker_id, count(distinct tableoid)::int as partitions from submissions
        where status = 'approved' group by worker_id having count(*) > 4 order by partitions desc, count(*) desc limit 1`,
    )
    const [worker] = rows
    assert.ok(worker !== undefined && worker.partitions > 2)
    const scanned = await withClient(async (client) => {
      await client.query('set plan_cache_mode = force_generic_plan; set enable_seqscan = off')
      await client.query(
        `prepare newest (uuid) as select id from submissions where worker_id = $1 and status = 'approved' order by id desc limit 1`,
      )
      const explained = await client.query<{ 'QUERY PLAN': [{ Plan: ExecutedPlan }] }>(
        `explain (analyze, format json) execute newest ('${worker.worker_id}')`,
      )
      return scannedBy(explained.rows[0]?.['QUERY PLAN'][0].Plan)
    })
    assert.ok(scanned.length > 0 && !scanned.includes('submissions_1'), scanned.join())
  })

  test('a statement without an index is detected', async () => {
    const found = await withClient(async (client) => {
      const { rows } = await client.query<{ 'QUERY PLAN': [{ Plan: Plan }] }>(
        'explain (generic_plan, format json) select count(*) from tasks where title = $1',
      )
      return growsIn(rows[0]?.['QUERY PLAN'][0].Plan as Plan, { table: () => true })
    })
    assert.equal(found.length, 1)
  })
})
