import type { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'
import type { Locale } from '#contract/locales.ts'
import type { MonthlyStatement } from '#contract/monthly-statements.ts'
import type { Db } from '#server/database/database.ts'
import { query, queryOne } from '#server/database/database.ts'
import { emailKey } from '#server/email-key.ts'
import { presentStatementLine, statementKindText } from '#server/ledger/present.ts'
import { accountHolder, readStatement, statementPositionAfter } from '#server/ledger/statement.ts'
import { sendStatementCsv } from '#server/ledger/statement-file.ts'
import { readSetting } from '#server/operator-settings/read.ts'
import { presentSeller, presentSummary } from './present.ts'
import type { SummaryRow } from './queries.ts'
import { receiptWords } from './receipt-words.ts'

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
  siteName: string,
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
  const seller = await readSetting(db, 'seller')
  const { taxName, taxPercent, taxAdded } = seller
  const words = receiptWords(locale)
  return {
    month,
    ...holder,
    seller: {
      ...presentSeller(seller, siteName, words),
      tax: taxPercent === 0 ? '' : words.RECEIPT_TEXTS.tax(taxName, taxPercent, !taxAdded),
    },
    opening,
    closing,
    transfers,
    totals: totals.map((total) => ({ ...total, text: statementKindText(total.kind, total.coins, locale) })),
    lines: lines.map((line) => presentStatementLine(line, locale)),
    receipts: receipts.map(presentSummary),
  }
}

/** Streams all lines of a month as CSV, newest first, page by page. @throws Refusal `user_not_found`. */
export async function sendMonthlyStatementCsv(
  reply: FastifyReply,
  db: Db,
  { email, month, timeZone, locale }: MonthOf,
  fileName: string,
): Promise<Readable> {
  const { account_id: account } = await accountHolder(db, emailKey(email))
  const { end_id, closing, transfers } = await readMonth(db, account, month, timeZone)
  const end = { id: end_id ?? 0, balance: closing }
  let left = transfers
  return sendStatementCsv(reply, fileName, locale, async (last, limit) => {
    const position = last === null ? end : statementPositionAfter(last)
    const lines = await readStatement(db, account, position, Math.min(left, limit))
    left -= lines.length
    return lines
  })
}
