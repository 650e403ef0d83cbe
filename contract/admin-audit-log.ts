import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { Paging, Time } from './shapes.ts'

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
