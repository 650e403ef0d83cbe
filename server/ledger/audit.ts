import type { Audit } from '#contract/ledger.ts'
import { type Database, query, WHOLE_TABLE } from '#server/database/database.ts'

type Check = Audit['checks'][number]

const auditFunctions = query<{ proname: string }, [schema: string]>(
  'audit_functions',
  `select proname from pg_proc where pronamespace = $1::text::regnamespace and proname ~ '^audit_[a-z_]+$' order by proname`,
)
// Each check reads whole tables. Right after much work the statistics are of before it (none of a new batch is approved yet), and a
// nested loop that they make look cheap takes minutes instead of milliseconds. One that cannot be avoided then has so high a cost that
// PostgreSQL would compile each query, for seconds. One process at a time, so that requests keep the other processors; a larger
// `work_mem` writes less of a large marketplace to disk.
const joinWholeTables = query<never, []>(
  'audit_joins',
  `select set_config('enable_nestloop', 'off', true), set_config('jit', 'off', true),
          set_config('max_parallel_workers_per_gather', '0', true), set_config('work_mem', '32MB', true)`,
)
const readLedgerTotals = query<{ name: string; coins: number }, []>(
  'ledger_totals',
  'select name, coins from ledger_totals()',
  WHOLE_TABLE,
)

/** Runs the audit checks of every domain in one snapshot and returns their results with the totals of the ledger. */
export async function audit(database: Database): Promise<Audit> {
  const started = performance.now()
  return database.transaction(async (tx) => {
    const checks: Check[] = []
    await joinWholeTables(tx)
    for (const { proname } of await auditFunctions(tx, database.functions.schema)) {
      const sql = `select name, checked, wrong from ${database.functions.schema}.${proname}()`
      checks.push(...(await tx.run<Check>({ name: proname, sql, ...WHOLE_TABLE }, [])))
    }
    const totals = await readLedgerTotals(tx)
    return {
      balanced: checks.every((check) => check.wrong === 0),
      checks,
      figures: Object.fromEntries(totals.map(({ name, coins }) => [name, coins])),
      time: new Date().toISOString(),
      tookMs: Math.round(performance.now() - started),
    }
  }, 'repeatable read')
}
