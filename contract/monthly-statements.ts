import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { StatementLine } from './ledger.ts'
import { PrintedSeller, ReceiptSummary } from './receipts.ts'
import { Email } from './shapes.ts'

const Month = z.string().check(z.regex(/^20\d{2}-(0[1-9]|1[0-2])$/))
const ofMonth = { email: Email, month: Month }

/**
 * A month of a user's coins, in the site's time zone. `opening` and `closing` are the balance before and after it. `lines` are
 * the newest of its `transfers`. `totals` are the coins per kind of transfer, credits and debits apart.
 * `seller` is as the setting has it now; its `tax` is such as "VAT 15%, included", or empty.
 */
export const MonthlyStatement = z.object({
  month: Month,
  name: z.string(),
  email: z.string(),
  seller: z.extend(PrintedSeller, { tax: z.string() }),
  opening: z.int(),
  closing: z.int(),
  transfers: z.int(),
  totals: z.array(z.object({ kind: z.string(), text: z.string(), coins: z.int(), transfers: z.int() })),
  lines: z.array(StatementLine),
  receipts: z.array(ReceiptSummary),
})
export type MonthlyStatement = z.infer<typeof MonthlyStatement>

export const monthlyStatement = endpoint({
  method: 'GET',
  path: '/monthly-statements/:email/:month',
  summary: "A month of a user's coin statement with its totals and receipts",
  access: { who: 'signed-in', named: 'path' },
  scope: 'payments:read',
  params: z.object(ofMonth),
  reply: MonthlyStatement,
  errors: ['user_not_found'],
})

/** The response is a file, not JSON: the CSV file has all lines of the month, the PDF file the newest 500. */
export const monthlyStatementFile = endpoint({
  method: 'GET',
  path: '/monthly-statements/:email/:month/:format',
  summary: 'A monthly statement as a PDF or CSV file',
  access: { who: 'signed-in', named: 'path', fresh: true },
  params: z.object({ ...ofMonth, format: z.enum(['pdf', 'csv']) }),
  reply: z.unknown(),
})
