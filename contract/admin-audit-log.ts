import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { Paging, Time } from './shapes.ts'

/** `content` is the JSON text under the hash: sha256 over the previous row's hash and this text. Hashes are hex. */
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
  summary: 'What admins did, newest first: an append-only chain of hashes',
  access: { who: ['Admin'] },
  query: Paging,
  reply: z.array(AuditLogEntry),
})
