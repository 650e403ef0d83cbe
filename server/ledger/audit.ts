import type { Audit } from '#contract/ledger.ts'
import { type Database, query, WHOLE_TABLE } from '#server/database/database.ts'

type Check = Audit['checks'][number]

const auditFunctions = query<{ proname: string }, []>(
  'audit_functions',
  `select proname from pg_proc where pronamespace = current_schema()::regnamespace and proname ~ '^audit_[a-z]+$' order by proname`,
)
const figures = query<{ name: string; coins: number }, []>(
  'ledger_figures',
  'select name, coins from ledger_figures()',
  WHOLE_TABLE,
)

/** Proves that the books balance: every check of every domain in one snapshot, with the figures. Changes nothing. */
export async function audit(database: Database): Promise<Audit> {
  const started = performance.now()
  return database.transaction(async (tx) => {
    const checks: Check[] = []
    for (const { proname } of await auditFunctions(tx)) {
      const sql = `select name, checked, wrong from ${proname}()`
      checks.push(...(await tx.run<Check>({ name: proname, sql, ...WHOLE_TABLE }, [])))
    }
    const known = await figures(tx)
    return {
      balanced: checks.every((check) => check.wrong === 0),
      checks,
      figures: Object.fromEntries(known.map(({ name, coins }) => [name, coins])),
      time: new Date().toISOString(),
      tookMs: Math.round(performance.now() - started),
    }
  }, 'repeatable read')
}
