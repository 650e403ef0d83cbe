import { query } from '#server/database/database.ts'
import { beforeCursor } from '#server/database/keyset.ts'

export type AuditLogRow = { id: number; content: string; hash: Buffer }

export const auditLogNewestFirst = query<AuditLogRow, [before: number | null, limit: number]>(
  'audit_log_newest_first',
  `select id, content, hash from admin_audit_log where id < ${beforeCursor('$1', 'bigint')} order by id desc limit $2`,
)

export const auditLogAfter = query<AuditLogRow, [after: number, limit: number]>(
  'audit_log_after',
  'select id, content, hash from admin_audit_log where id > $1 order by id limit $2',
)
