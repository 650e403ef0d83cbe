import { Readable } from 'node:stream'
import type { FastifyInstance } from 'fastify'
import * as contract from '#contract/security-log.ts'
import type { Context } from '#server/context.ts'
import type { Db } from '#server/database/database.ts'
import { emailKey } from '#server/email-key.ts'
import { clientOf } from '#server/http/client.ts'
import { page } from '#server/http/pagination.ts'
import { requestLocale } from '#server/http/request-locale.ts'
import { serve } from '#server/http/serve.ts'
import { exportSecurityLog } from './export.ts'
import { emailHash, logExport } from './log-event.ts'
import { presentAccountEvent, presentSecurityEvent } from './present.ts'
import {
  eventsNewestFirst,
  eventsOfEmail,
  eventsOfIdentity,
  eventsOfKind,
  type SecurityEventRow,
} from './queries.ts'

type Filter = { kind?: string | undefined; email?: string | undefined }

export function securityLogRoutes(app: FastifyInstance, context: Context): void {
  const { config } = context

  function readEvents(db: Db, { kind, email }: Filter, before: number | null, count: number) {
    if (email !== undefined) {
      const key = emailKey(email) ?? ''
      return eventsOfEmail(db, before, count, key, emailHash(key, config), kind ?? null)
    }
    return kind === undefined ? eventsNewestFirst(db, before, count) : eventsOfKind(db, before, count, kind)
  }
  const cursorOf = ({ id }: SecurityEventRow) => [id]

  serve(app, context, contract.accountActivity, async ({ db, caller, query, reply, request }) => {
    const rows = await page(
      reply,
      query,
      ['number'],
      ([before], count) => eventsOfIdentity(db, before as number | null, count, caller.identityId),
      cursorOf,
    )
    return rows.map((row) => presentAccountEvent(row, requestLocale(request)))
  })

  serve(app, context, contract.securityLog, async ({ db, query, reply, request }) => {
    const rows = await page(
      reply,
      query,
      ['number'],
      ([before], count) => readEvents(db, query, before as number | null, count),
      cursorOf,
    )
    return rows.map((row) => presentSecurityEvent(row, requestLocale(request)))
  })

  serve(app, context, contract.securityLogFile, async ({ db, viewer, request, reply }) => {
    await logExport(db, viewer.id, viewer.id, clientOf(request), 'security_log')
    reply.header('content-type', 'application/x-ndjson; charset=utf-8')
    reply.header('content-disposition', 'attachment; filename="security-log.jsonl"')
    return Readable.from(exportSecurityLog(db))
  })
}
