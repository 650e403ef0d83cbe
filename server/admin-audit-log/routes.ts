import type { FastifyInstance } from 'fastify'
import * as contract from '#contract/admin-audit-log.ts'
import { auditActName } from '#contract/admin-audit-log-texts.en.ts'
import type { Context } from '#server/context.ts'
import { clientOf } from '#server/http/client.ts'
import { requireExportable, sendCsv } from '#server/http/csv-file.ts'
import { page } from '#server/http/pagination.ts'
import { serve } from '#server/http/serve.ts'
import { logExport } from '#server/security-log/log-event.ts'
import { type ActionRow, actionsBefore, auditChain, countActions, searchOf } from './actions.ts'
import { auditLogNewestFirst } from './queries.ts'

export function auditLogRoutes(app: FastifyInstance, context: Context): void {
  serve(app, context, contract.adminRecord, async ({ db, query, reply }) => {
    const rows = await page(
      reply,
      query,
      ['number'],
      ([before], count) => auditLogNewestFirst(db, before as number | null, count),
      (row) => [row.id],
    )
    return rows.map(({ content, hash }) => ({ ...JSON.parse(content), content, hash: hash.toString('hex') }))
  })
  serve(app, context, contract.auditLog, async ({ db, query, reply }) => {
    const search = await searchOf(db, query)
    const rows = await page(
      reply,
      query,
      ['number'],
      ([before], count) => actionsBefore(db, search, before as number | null, count),
      (row) => [row.id],
    )
    return rows.map(presentAction)
  })

  serve(app, context, contract.auditLogChain, async ({ db }) => {
    const { checked, wrong, last_hash: hash } = await auditChain(db)
    return { entries: checked, broken: wrong, lastHash: hash?.toString('hex') ?? null }
  })

  serve(app, context, contract.auditLogFile, async ({ db, query, viewer, request, reply }) => {
    const search = await searchOf(db, query)
    const count = await countActions(db, search)
    requireExportable(count)
    await logExport(db, viewer.id, viewer.id, clientOf(request), 'audit_log')
    return sendCsv(reply, {
      name: 'audit-log.csv',
      heading: HEADING,
      read: (last: ActionRow | null, limit) => actionsBefore(db, search, last?.id ?? null, limit),
      cells: (row) => cellsOf(presentAction(row)),
    })
  })
}

const HEADING = [
  'Number',
  'Time',
  'Admin',
  'Admin email',
  'Action',
  'User',
  'User email',
  'Subject',
  'Reason',
  'Details',
  'Hash',
]

function presentAction(row: ActionRow): contract.AuditLogAction {
  const { number, time, act, admin, subject, details } = JSON.parse(row.content)
  const { reason, ...others } = details
  const { admin_name: adminName, admin_email: adminEmail } = row
  const { user_id: userId, user_name: userName, user_email: userEmail } = row
  return {
    number,
    time,
    act,
    admin:
      adminName === null || adminEmail === null ? null : { _id: admin, name: adminName, email: adminEmail },
    user:
      userId === null || userName === null || userEmail === null
        ? null
        : { _id: userId, name: userName, email: userEmail },
    subject,
    reason: typeof reason === 'string' ? reason : '',
    details: others,
    hash: row.hash.toString('hex'),
  }
}

function cellsOf(action: contract.AuditLogAction): (string | number)[] {
  return [
    action.number,
    action.time,
    action.admin?.name ?? '',
    action.admin?.email ?? '',
    auditActName(action.act),
    action.user?.name ?? '',
    action.user?.email ?? '',
    action.subject ?? '',
    action.reason,
    JSON.stringify(action.details),
    action.hash,
  ]
}
