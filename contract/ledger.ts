import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { ByEmail, Paging, Time } from './shapes.ts'

/**
 * One line of a person's statement; `coins` is positive for coins that came, negative for coins that went, `balance` is
 * what they had after it. `text` says it in words.
 */
export const StatementLine = z.object({
  _id: z.string(),
  kind: z.string(),
  text: z.string(),
  coins: z.int(),
  balance: z.int(),
  time: Time,
})
export type StatementLine = z.infer<typeof StatementLine>

export const statement = endpoint({
  method: 'GET',
  path: '/statement/:email',
  summary: "Every movement of a person's coins with the running balance, newest first",
  access: { who: 'signed-in', named: 'path' },
  params: ByEmail,
  query: Paging,
  reply: z.array(StatementLine),
})

/** A file (text/csv, UTF-8) and no JSON: fetch it with the token and save it. */
export const statementFile = endpoint({
  method: 'GET',
  path: '/statement/:email/csv',
  summary: 'The whole statement as a CSV file, newest first: time, kind, text, coins, balance',
  access: { who: 'signed-in', named: 'path' },
  params: ByEmail,
  reply: z.unknown(),
})

/** One thing the audit checks; `wrong` counts what breaks it and is 0 when the books balance. */
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
  summary: 'Prove that the books balance, with the figures',
  access: { who: ['Admin'] },
  reply: Audit,
})
