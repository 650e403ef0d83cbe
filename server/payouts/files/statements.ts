import { createHash } from 'node:crypto'
import { v7 as newId } from 'uuid'
import type {
  PayoutCase,
  PayoutStatement,
  StatementCounts,
  StatementMapping,
} from '#contract/payout-statements.ts'
import { type Db, query, queryOne } from '#server/database/database.ts'
import { readCsv } from './csv.ts'
import { type StatementLine, statementLines } from './statement-lines.ts'

/** A statement has up to 2,000 lines, each of which may settle a payout. */
const IMPORT_TIMEOUT_MS = 20_000

const importRows = queryOne<
  { statement_id: string; counts: StatementCounts },
  [
    id: string,
    adminId: string,
    account: string,
    fileName: string,
    sha256: string,
    mapping: string,
    lines: string,
  ]
>(
  'import_payout_statement',
  'select statement_id, counts from import_payout_statement($1, $2, $3, $4, $5, $6, $7)',
  { timeoutMs: IMPORT_TIMEOUT_MS },
)

type Statement = { account: string; fileName: string; content: Uint8Array; mapping: StatementMapping }

/**
 * Imports a statement: each line settles its payout or becomes a payout case, in one transaction.
 * @throws Refusal `invalid_fields` for a file that is no CSV file or has other headings.
 */
export async function importStatement(
  db: Db,
  adminId: string,
  { account, fileName, content, mapping }: Statement,
) {
  const lines = statementLines(readCsv(content), mapping)
  const sha256 = createHash('sha256').update(content).digest('hex')
  const imported = await importRows(
    db,
    newId(),
    adminId,
    account,
    fileName,
    sha256,
    JSON.stringify(mapping),
    JSON.stringify(lines),
  )
  return { insertedId: imported.statement_id, counts: imported.counts }
}

type StatementRow = {
  id: string
  account: string
  file_name: string
  sha256: string
  mapping: StatementMapping
  counts: StatementCounts
  imported_at: string
  imported_by: string
  admin_name: string
}
export const latestStatements = query<StatementRow, []>(
  'payout_statements_latest',
  `select statements.id, account, file_name, sha256, mapping, counts, imported_at, imported_by, users.name as admin_name
     from payout_statements as statements join users on users.id = statements.imported_by
    order by imported_at desc, statements.id desc limit 50`,
)

export function presentStatement(row: StatementRow): PayoutStatement {
  return {
    _id: row.id,
    account: row.account,
    fileName: row.file_name,
    sha256: row.sha256,
    mapping: row.mapping,
    counts: row.counts,
    importedBy: row.admin_name,
    importedById: row.imported_by,
    importedAt: row.imported_at,
  }
}

type PayoutCaseRow = {
  id: string
  kind: PayoutCase['kind']
  account: string
  file_name: string
  line_number: number
  line: StatementLine
  payout: PayoutCase['payout']
  decidable: boolean
  opened_at: string
  resolved_at: string | null
  note: string
  admin_id: string | null
  admin_name: string | null
}
/** Returns open payout cases first, oldest first, then those resolved last. */
export const listPayoutCases = query<PayoutCaseRow, []>(
  'payout_cases_list',
  `select cases.id, cases.kind, lines.account, lines.file_name, lines.line_number, cases.line, cases.opened_at,
          cases.resolved_at, cases.note, cases.resolved_by as admin_id, users.name as admin_name,
          is_decidable_payout_case(cases) as decidable,
          (select jsonb_build_object('reference', reference, 'state', state, 'accountNumber', account_number, 'cents', cents,
                                     'poisha', poisha) from payouts where id = cases.payout_id) as payout
     from payout_cases as cases cross join lateral (
            select lines.account, lines.line_number,
                   (select file_name from payout_statements where id = lines.statement_id) as file_name
              from payout_statement_lines as lines where lines.id = cases.line_id limit 1) as lines
     left join users on users.id = cases.resolved_by
    order by cases.resolved_at desc nulls first, cases.opened_at, cases.id limit 200`,
)
export const resolvePayoutCase = query<never, [id: string, adminId: string, decision: string, note: string]>(
  'resolve_payout_case',
  'select resolve_payout_case($1, $2, $3, $4)',
)

export function presentPayoutCase(row: PayoutCaseRow): PayoutCase {
  const { reference, transactionId, accountNumber, amount, currency, status } = row.line
  return {
    _id: row.id,
    kind: row.kind,
    account: row.account,
    fileName: row.file_name,
    line: {
      number: row.line_number,
      reference,
      transactionId,
      accountNumber,
      amount,
      currency: currency as 'BDT' | 'USD',
      status,
    },
    payout: row.payout,
    decidable: row.decidable,
    openedAt: row.opened_at,
    resolved:
      row.resolved_at === null
        ? null
        : { date: row.resolved_at, admin: row.admin_name, adminId: row.admin_id, note: row.note },
  }
}
