import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { Day, Id, Paging, Time } from './shapes.ts'

/** `hash` is the SHA-256, in hex, of the previous entry's hash followed by `content`, which is the entry as JSON. */
export const AuditLogEntry = z.object({
  number: z.int(),
  time: Time,
  admin: z.string(),
  act: z.string(),
  subject: z.string(),
  details: z.record(z.string(), z.unknown()),
  content: z.string(),
  hash: z.string(),
})
export type AuditLogEntry = z.infer<typeof AuditLogEntry>

export const adminRecord = endpoint({
  method: 'GET',
  path: '/admin-record',
  summary: 'The admin audit log, newest first: an append-only hash chain',
  access: { who: ['Admin'] },
  query: Paging,
  reply: z.array(AuditLogEntry),
})

const AuditLogUser = z.object({ _id: Id, name: z.string(), email: z.string() })

/** `user` is whom it is about: also the worker of a request, the payer of a payment or the buyer of a task. */
export const AuditLogAction = z.object({
  number: z.int(),
  time: Time,
  act: z.string(),
  admin: z.nullable(AuditLogUser),
  user: z.nullable(AuditLogUser),
  subject: z.nullable(z.string()),
  reason: z.string(),
  /** Without the reason. */
  details: z.record(z.string(), z.unknown()),
  hash: z.string(),
})
export type AuditLogAction = z.infer<typeof AuditLogAction>

/** `user` is an email or an id; `from` and `to` are days in UTC, both included. */
export const AuditLogFilter = z.object({
  admin: z.optional(Id),
  act: z.optional(z.string().check(z.maxLength(60))),
  user: z.optional(z.string().check(z.maxLength(320))),
  from: z.optional(Day),
  to: z.optional(Day),
})
export type AuditLogFilter = z.infer<typeof AuditLogFilter>

export const auditLog = endpoint({
  method: 'GET',
  path: '/audit-log',
  summary: 'Admin actions, newest first, by Admin, action, user and time',
  access: { who: ['Admin'] },
  query: z.extend(Paging, AuditLogFilter.shape),
  reply: z.array(AuditLogAction),
})

export const auditLogChain = endpoint({
  method: 'GET',
  path: '/audit-log/chain',
  summary: 'Whether the hash chain of the admin audit log is unbroken: computed from all entries',
  access: { who: ['Admin'] },
  reply: z.object({ entries: z.int(), broken: z.int(), lastHash: z.nullable(z.string()) }),
})

export const auditLogFile = endpoint({
  method: 'GET',
  path: '/audit-log/export',
  summary: 'The actions that a filter finds, newest first, as CSV',
  access: { who: ['Admin'], fresh: true },
  query: AuditLogFilter,
  reply: z.unknown(),
})
