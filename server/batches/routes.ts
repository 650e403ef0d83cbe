import type { FastifyInstance, FastifyRequest } from 'fastify'
import * as contract from '#contract/batches.ts'
import type { RouteContext } from '#server/context.ts'
import { writeCsv } from '#server/http/csv-file.ts'
import { page } from '#server/http/pagination.ts'
import { requestLocale } from '#server/http/request-locale.ts'
import { serve } from '#server/http/serve.ts'
import { requireVerifiedEmail } from '#server/identity/require-verified-email.ts'
import { presentItem } from '#server/projects/present.ts'
import { beginFunding } from './fund.ts'
import { presentBatch, presentProblem, reportRows } from './present.ts'
import { type BatchRow, batchesOf, ownBatch, ownReport } from './queries.ts'
import { scheduleBatch } from './scheduled.ts'
import { topUpBatch } from './top-up.ts'
import { beginCheck, cancelBatch, createBatch, storeChunk } from './upload.ts'

export function batchRoutes(app: FastifyInstance, context: RouteContext): void {
  const { config } = context
  const present = (row: BatchRow, request: FastifyRequest) =>
    presentBatch(row, config, requestLocale(request))

  serve(app, context, contract.batches, async ({ db, query, reply, viewer, request }) => {
    const rows = await page(
      reply,
      query,
      ['id'],
      ([before], count) =>
        batchesOf(
          db,
          viewer.id,
          query.project ?? null,
          query.task ?? null,
          (before ?? null) as string | null,
          count,
        ),
      ({ id }) => [id],
    )
    return rows.map((row) => present(row, request))
  })

  serve(app, context, contract.createBatch, async ({ db, params, body, viewer, request }) =>
    present(await createBatch(db, params.id, viewer.id, body.fileName), request),
  )

  serve(app, context, contract.uploadChunk, async ({ db, params, body, viewer }) => ({
    bytes: await storeChunk(db, params.id, viewer.id, params.number, Buffer.from(body.content, 'base64')),
  }))

  serve(app, context, contract.checkBatch, async ({ db, params, body, viewer, request }) =>
    present(await beginCheck(db, params.id, viewer.id, body.bytes), request),
  )

  serve(app, context, contract.batch, async ({ db, params, viewer, request }) =>
    present(await ownBatch(db, params.id, viewer.id), request),
  )

  serve(app, context, contract.batchProblems, async ({ db, params, viewer, request }) => {
    const { problems } = await ownReport(db, params.id, viewer.id)
    const locale = requestLocale(request)
    return problems.map((problem) => presentProblem(problem, locale))
  })

  serve(app, context, contract.batchReport, async ({ db, params, viewer, reply }) => {
    const { problems } = await ownReport(db, params.id, viewer.id)
    reply.header('content-type', 'text/csv; charset=utf-8')
    reply.header('content-disposition', 'attachment; filename="problems.csv"')
    return writeCsv(reportRows(problems, viewer.locale))
  })

  serve(app, context, contract.batchPreview, async ({ db, params, viewer }) => {
    const { samples, content } = await ownReport(db, params.id, viewer.id)
    return samples.map((input) => presentItem(content, input))
  })

  serve(app, context, contract.fundBatch, async ({ db, params, body, caller, viewer, request }) => {
    requireVerifiedEmail(config, caller, 'post')
    return present(await beginFunding(db, config, params.id, viewer.id, body), request)
  })

  serve(app, context, contract.scheduleBatch, async ({ db, params, body, caller, viewer, request }) => {
    if (body.scheduled !== null) requireVerifiedEmail(config, caller, 'post')
    return present(await scheduleBatch(db, config, params.id, viewer.id, body.scheduled), request)
  })

  serve(app, context, contract.topUpBatch, async ({ db, params, body, viewer, request }) =>
    present(await topUpBatch(db, config, params.id, viewer.id, body), request),
  )

  serve(app, context, contract.cancelBatch, async ({ db, params, viewer, request }) =>
    present(await cancelBatch(db, params.id, viewer.id), request),
  )
}
