import type { Locale } from '#contract/locales.ts'
import type { MonthlyStatement } from '#contract/monthly-statements.ts'
import type { Db } from '#server/database/database.ts'
import { query, queryOne } from '#server/database/database.ts'
import { emailKey } from '#server/email-key.ts'
import { CSV_HEADER, presentStatementLine, statementKindText, toCsvLine } from '#server/ledger/present.ts'
import { accountHolder, readStatement, statementPositionAfter } from '#server/ledger/statement.ts'
import { presentSummary } from './present.ts'
import type { SummaryRow } from './queries.ts'

const CSV_PAGE_LINES = 1000
/** The most receipts listed for a month. */
const RECEIPTS_MAX = 500

type Month = {
  /** Null for an account without transfers. */
  first_id: number | null
  end_id: number | null
  opening: number
  closing: number
  transfers: number
  totals: { kind: string; coins: number; transfers: number }[]
}

const readMonth = queryOne<Month, [account: number, month: string, zone: string]>(
  'statement_month',
  'select first_id, end_id, opening, closing, transfers, totals from statement_month($1, $2, $3)',
)
const readHolder = queryOne<{ name: string; email: string }, [userId: string]>(
  'statement_holder',
  'select name, email from users where id = $1',
)
const receiptsOfMonth = query<SummaryRow, [userId: string, month: string, zone: string]>(
  'receipts_of_month',
  `select id, label, kind, issued_at, cents, tax from receipts
    where user_id = $1 and issued_at >= ($2 || '-01')::timestamp at time zone $3
      and issued_at < (($2 || '-01')::timestamp + interval '1 month') at time zone $3
    order by issued_at, id limit ${RECEIPTS_MAX}`,
)

export type MonthOf = { email: string; month: string; timeZone: string; locale: Locale }

/** Returns a month of a user's statement with its newest lines. @throws Refusal `user_not_found`. */
export async function readMonthlyStatement(
  db: Db,
  { email, month, timeZone, locale }: MonthOf,
  linesMax: number,
): Promise<MonthlyStatement> {
  const { id, account_id: account } = await accountHolder(db, emailKey(email))
  const holder = await readHolder(db, id)
  const { first_id, end_id, opening, closing, transfers, totals } = await readMonth(
    db,
    account,
    month,
    timeZone,
  )
  const lines =
    first_id === null || end_id === null
      ? []
      : await readStatement(db, account, { id: end_id, balance: closing }, Math.min(linesMax, transfers))
  const receipts = await receiptsOfMonth(db, id, month, timeZone)
  return {
    month,
    ...holder,
    opening,
    closing,
    transfers,
    totals: totals.map((total) => ({ ...total, text: statementKindText(total.kind, total.coins, locale) })),
    lines: lines.map((line) => presentStatementLine(line, locale)),
    receipts: receipts.map(presentSummary),
  }
}

/** Streams all lines of a month as CSV, newest first, page by page. @throws Refusal `user_not_found`. */
export async function monthlyStatementCsv(
  db: Db,
  { email, month, timeZone, locale }: MonthOf,
): Promise<AsyncGenerator<string>> {
  const { account_id: account } = await accountHolder(db, emailKey(email))
  const { end_id, closing, transfers } = await readMonth(db, account, month, timeZone)
  return csvOf(db, account, { id: end_id ?? 0, balance: closing }, transfers, locale)
}

async function* csvOf(
  db: Db,
  account: number,
  start: { id: number; balance: number },
  transfers: number,
  locale: Locale,
): AsyncGenerator<string> {
  yield CSV_HEADER
  let position = start
  for (let left = transfers; left > 0; ) {
    const lines = await readStatement(db, account, position, Math.min(left, CSV_PAGE_LINES))
    yield lines.map((line) => toCsvLine(line, locale)).join('')
    const last = lines.at(-1)
    if (last === undefined) return
    left -= lines.length
    position = statementPositionAfter(last)
  }
}
