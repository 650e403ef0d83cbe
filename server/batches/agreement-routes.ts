import type { FastifyInstance } from 'fastify'
import * as contract from '#contract/batch-agreement.ts'
import { SCORE_AFTER } from '#contract/projects.ts'
import type { RouteContext } from '#server/context.ts'
import { page } from '#server/http/pagination.ts'
import { serve } from '#server/http/serve.ts'
import {
  type AgreementRow,
  agreementOfItem,
  agreementOfItems,
  agreementSummaryOf,
  type BatchWorkerRow,
  workersOfBatch,
} from './agreement-queries.ts'
import { presentAgreementSummary, presentBatchWorker, presentItemAgreement } from './present-agreement.ts'
import { ownBatch } from './queries.ts'

export function agreementRoutes(app: FastifyInstance, context: RouteContext): void {
  serve(app, context, contract.batchAgreement, async ({ db, params, query, reply, viewer }) => {
    const { id, content } = await ownBatch(db, params.id, viewer.id)
    const rows = await page<AgreementRow>(
      reply,
      query,
      ['number'],
      ([after], limit) => {
        const isDisagreeing = query.disagreeing === 'true'
        if (query.item !== undefined) return agreementOfItem(db, id, query.item, isDisagreeing)
        return agreementOfItems(db, id, { isDisagreeing, after: (after ?? 0) as number, limit })
      },
      ({ number }) => [number],
    )
    return rows.map((row) => presentItemAgreement(row, content.form))
  })

  serve(app, context, contract.batchAgreementSummary, async ({ db, params, viewer }) => {
    const { id, content } = await ownBatch(db, params.id, viewer.id)
    const [row] = await agreementSummaryOf(db, id)
    return presentAgreementSummary(row, content.form)
  })

  serve(app, context, contract.batchWorkers, async ({ db, params, query, reply, viewer }) => {
    const { id, content } = await ownBatch(db, params.id, viewer.id)
    const scoreAfter = content.quality?.scoreAfter ?? SCORE_AFTER
    const rows = await page<BatchWorkerRow>(
      reply,
      query,
      ['id'],
      ([after], count) =>
        workersOfBatch(db, id, viewer.id, (after ?? null) as string | null, scoreAfter, count),
      ({ worker_id: worker }) => [worker],
    )
    return rows.map((row) => presentBatchWorker(row, content))
  })
}
