import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { ByEmail, Paging, Time } from './shapes.ts'

/**
 * A line of a coin statement. `coins` is positive for credits and negative for debits, `balance` and `debt` are the
 * balance and the debt after it, `text` its description.
 */
export const StatementLine = z.object({
  _id: z.string(),
  kind: z.string(),
  text: z.string(),
  coins: z.int(),
  balance: z.int(),
  debt: z.int(),
  time: Time,
})
export type StatementLine = z.infer<typeof StatementLine>

export const statement = endpoint({
  method: 'GET',
  path: '/statement/:email',
  summary: "A user's coin statement with the running balance, newest first",
  access: { who: 'signed-in', named: 'path' },
  scope: 'payments:read',
  params: ByEmail,
  query: Paging,
  reply: z.array(StatementLine),
  errors: ['user_not_found'],
})

/** The response is a file (text/csv, UTF-8), not JSON. */
export const statementFile = endpoint({
  method: 'GET',
  path: '/statement/:email/csv',
  summary: 'The whole statement as a CSV file, newest first: time, kind, text, coins, balance, debt',
  access: { who: 'signed-in', named: 'path', fresh: true },
  params: ByEmail,
  reply: z.unknown(),
})

/** A check of the audit. `wrong` counts the records that violate it and is 0 when the books balance. */
export const AuditCheck = z.object({ name: z.string(), checked: z.int(), wrong: z.int() })
export const Audit = z.object({
  balanced: z.boolean(),
  checks: z.array(AuditCheck),
  figures: z.record(z.string(), z.int()),
  time: Time,
  tookMs: z.int(),
})
export type Audit = z.infer<typeof Audit>

export const audit = endpoint({
  method: 'GET',
  path: '/audit',
  summary: 'Audit the ledger: the checks with their results, and the totals',
  access: { who: ['Admin'] },
  reply: Audit,
})
