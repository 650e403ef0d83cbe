import type { FastifyInstance } from 'fastify'
import * as contract from '#contract/admin-audit-log.ts'
import type { Services } from '#server/http/context.ts'
import { page } from '#server/http/pagination.ts'
import { serve } from '#server/http/serve.ts'
import { recordNewestFirst } from './queries.ts'

export function recordRoutes(app: FastifyInstance, services: Services): void {
  serve(app, services, contract.adminRecord, async ({ db, query, reply }) => {
    const rows = await page(
      reply,
      query,
      ['number'],
      ([before], count) => recordNewestFirst(db, before as number | null, count),
      (row) => [row.id],
    )
    return rows.map(({ content, hash }) => ({ ...JSON.parse(content), content, hash: hash.toString('hex') }))
  })
}
