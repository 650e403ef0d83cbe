import type { Audit } from '#contract/ledger.ts'
import { type Database, query } from '#server/database/database.ts'
import { audit } from './audit.ts'

const rememberAudit = query<never, [audit: string]>(
  'audit_remember',
  `insert into installation (name, value) values ('last_audit', $1) on conflict (name) do update set value = excluded.value`,
)
const rememberedAudit = query<{ value: Audit }, []>(
  'audit_remembered',
  `select value from installation where name = 'last_audit'`,
)

/** Audits the books and keeps the result for the metrics. Throws when they do not balance, so that the job shows it. */
export async function auditAndStore(database: Database): Promise<string> {
  const result = await audit(database)
  await rememberAudit(database, JSON.stringify(result))
  if (!result.balanced) {
    const wrong = result.checks.filter((check) => check.wrong > 0).map((check) => check.name)
    throw new Error(`The books do not balance: ${wrong.join('; ')}`)
  }
  return `The books balance (${result.checks.length} checks, ${result.tookMs} ms)`
}

/** What the last audit of the job found, if there was one. */
export async function lastAudit(database: Database): Promise<Audit | undefined> {
  const [row] = await rememberedAudit(database)
  return row?.value
}
