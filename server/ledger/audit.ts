import type { Audit } from '#contract/ledger.ts'
import { type Database, query, WHOLE_TABLE } from '#server/database/database.ts'

type Check = Audit['checks'][number]

const auditFunctions = query<{ proname: string }, []>(
  'audit_functions',
  `select proname from pg_proc where pronamespace = current_schema()::regnamespace and proname ~ '^audit_[a-z_]+$' order by proname`,
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
    for (const { proname } of await auditFunctions(tx)) {
      const sql = `select name, checked, wrong from ${proname}()`
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
