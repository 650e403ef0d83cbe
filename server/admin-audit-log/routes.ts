import type { FastifyInstance } from 'fastify'
import * as contract from '#contract/admin-audit-log.ts'
import type { Context } from '#server/context.ts'
import { page } from '#server/http/pagination.ts'
import { serve } from '#server/http/serve.ts'
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
}
