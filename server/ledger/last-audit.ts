import type { Audit } from '#contract/ledger.ts'
import { type Database, query } from '#server/database/database.ts'
import { audit } from './audit.ts'

const storeAudit = query<never, [audit: string]>(
  'audit_store',
  `insert into installation (name, value) values ('last_audit', $1) on conflict (name) do update set value = excluded.value`,
)
const readStoredAudit = query<{ value: Audit }, []>(
  'audit_stored',
  `select value from installation where name = 'last_audit'`,
)

/** Runs the audit, stores its result and returns a summary. @throws Error when the books do not balance, so the job fails. */
export async function auditAndStore(database: Database): Promise<string> {
  const result = await audit(database)
  await storeAudit(database, JSON.stringify(result))
  if (!result.balanced) {
    const wrong = result.checks.filter((check) => check.wrong > 0).map((check) => check.name)
    throw new Error(`The books do not balance: ${wrong.join('; ')}`)
  }
  return `The books balance (${result.checks.length} checks, ${result.tookMs} ms)`
}

/** Returns the result of the last audit by the background job, if there is one. */
export async function lastAudit(database: Database): Promise<Audit | undefined> {
  const [row] = await readStoredAudit(database)
  return row?.value
}
