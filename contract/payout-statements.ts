import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { ById, Id, line, storable, Time, text, Updated } from './shapes.ts'

const STATEMENT_BYTES_MAX = 370_000
/** Without the heading. */
export const STATEMENT_ROWS_MAX = 2000
const Heading = z.string().check(storable, z.trim(), z.maxLength(200))
const Words = z.array(line(60, 'Enter a word')).check(z.maxLength(20, 'At most 20 words'))

/**
 * Where the values of a statement are: the headings of its columns, '' for a value that it does not have. With `status`,
 * lines with one of the words of `paid` or `failed` settle payouts and those with one of `pending` wait; without it every
 * line is a payment. `negative`: payments are negative amounts.
 */
export const StatementMapping = z.object({
  currency: z.enum(['BDT', 'USD']),
  negative: z.boolean(),
  reference: Heading.check(z.minLength(1, 'Choose the column of the reference')),
  amount: Heading.check(z.minLength(1, 'Choose the column of the amount')),
  transactionId: Heading,
  accountNumber: Heading,
  fee: Heading,
  status: Heading,
  paid: Words,
  failed: Words,
  pending: Words,
})
export type StatementMapping = z.infer<typeof StatementMapping>

/**
 * What became of the lines: `confirmed` and `failed` payouts; `settled`: lines of payouts that were settled before, `repeated`:
 * lines that were imported before; `pending`; `ignored`: no payment of ours; `cases`.
 */
export const StatementCounts = z.object({
  confirmed: z.int(),
  failed: z.int(),
  settled: z.int(),
  repeated: z.int(),
  pending: z.int(),
  ignored: z.int(),
  cases: z.int(),
})
export type StatementCounts = z.infer<typeof StatementCounts>

export const PayoutStatement = z.object({
  _id: Id,
  account: z.string(),
  fileName: z.string(),
  sha256: z.string(),
  mapping: StatementMapping,
  counts: StatementCounts,
  importedBy: z.string(),
  importedById: Id,
  importedAt: Time,
})
export type PayoutStatement = z.infer<typeof PayoutStatement>

/** `account` names the account at the bank or wallet. `content` is the CSV file in base64. */
export const StatementImport = z.object({
  account: line(60, 'Enter the name of the account'),
  fileName: line(200, 'Choose a file'),
  content: z
    .base64('Choose a CSV file')
    .check(
      z.minLength(1, 'Choose a CSV file'),
      z.maxLength(Math.ceil(STATEMENT_BYTES_MAX / 3) * 4, 'This file is too large. Split it.'),
    ),
  mapping: StatementMapping,
})

export const importPayoutStatement = endpoint({
  method: 'POST',
  path: '/payout-statements',
  summary: 'Import a statement: its lines settle payouts, once, and differences become cases',
  access: { who: ['Admin'], fresh: true },
  limit: { perUser: 300, perNetwork: 3000 },
  body: StatementImport,
  reply: z.object({ insertedId: Id, counts: StatementCounts }),
  status: 201,
})

export const payoutStatements = endpoint({
  method: 'GET',
  path: '/payout-statements',
  summary: 'The latest imported statements',
  access: { who: ['Admin'] },
  reply: z.array(PayoutStatement),
})

export const PAYOUT_CASE_KINDS = [
  'unknown_reference',
  'unreadable_amount',
  'amount_differs',
  'number_differs',
  'edited_line',
  'second_line',
  'other_transaction',
  'not_sent',
  'paid_after_failure',
  'failed_after_payment',
  'own_payout',
  'unclear_status',
] as const

const Amount = z.nullable(z.int())

/**
 * A line that cannot settle its payout. `line` is as the statement has it, `payout` as we do; amounts are hundredths of
 * `currency`. `decidable`: an Admin can settle the payout by it.
 */
export const PayoutCase = z.object({
  _id: Id,
  kind: z.enum(PAYOUT_CASE_KINDS),
  account: z.string(),
  fileName: z.string(),
  line: z.object({
    number: z.int(),
    reference: z.string(),
    transactionId: z.string(),
    accountNumber: z.string(),
    amount: Amount,
    currency: z.enum(['BDT', 'USD']),
    status: z.string(),
  }),
  payout: z.nullable(
    z.object({
      reference: z.string(),
      state: z.string(),
      accountNumber: z.string(),
      cents: z.int(),
      poisha: Amount,
    }),
  ),
  decidable: z.boolean(),
  openedAt: Time,
  resolved: z.nullable(
    z.object({ date: Time, admin: z.nullable(z.string()), adminId: z.nullable(Id), note: z.string() }),
  ),
})
export type PayoutCase = z.infer<typeof PayoutCase>

export const payoutCases = endpoint({
  method: 'GET',
  path: '/payout-cases',
  summary: 'Differences between statements and payouts: open cases first',
  access: { who: ['Admin'] },
  reply: z.array(PayoutCase),
})

/** `confirm` and `fail` settle the payout by the line; `close` changes nothing else. */
export const resolvePayoutCase = endpoint({
  method: 'PATCH',
  path: '/payout-cases/:id',
  summary: 'Resolve a difference between a statement and a payout, once',
  access: { who: ['Admin'], fresh: true },
  limit: { perUser: 1200, perNetwork: 12_000 },
  params: ById,
  body: z.object({
    decision: z.enum(['close', 'confirm', 'fail']),
    note: text(2_000, 'Enter a note for the audit log'),
  }),
  reply: Updated,
})
