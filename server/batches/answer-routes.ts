import type { FastifyInstance } from 'fastify'
import * as contract from '#contract/batch-answers.ts'
import { LIST_LIMIT_MAX } from '#contract/product.ts'
import type { RouteContext } from '#server/context.ts'
import { clientOf } from '#server/http/client.ts'
import { page } from '#server/http/pagination.ts'
import { requestLocale } from '#server/http/request-locale.ts'
import { serve } from '#server/http/serve.ts'
import { logExport } from '#server/security-log/log-event.ts'
import { sendAnswersCsv, sendAnswersJsonLines } from './answer-files.ts'
import { type AnswerRow, answersByItem, newestAnswers } from './answers.ts'
import { applyDecisions, presentOutcome, previewDecisions } from './decide.ts'
import { presentAnswer } from './present-answers.ts'
import { type BatchRow, ownBatch } from './queries.ts'
import { summarize } from './summary.ts'

/** The bytes of the rows of the file on a page of answers, of average rows. */
const PAGE_BYTES = 8_388_608

export function answerRoutes(app: FastifyInstance, context: RouteContext): void {
  serve(app, context, contract.batchAnswers, async ({ db, params, query, reply, viewer }) => {
    const batch = await ownBatch(db, params.id, viewer.id)
    const { task_id: taskId, content } = batch
    if (taskId === null) return []
    const isNewest = query.sort === 'newest'
    const rows = await page<AnswerRow>(
      reply,
      { ...query, limit: Math.min(query.limit ?? LIST_LIMIT_MAX, answersPerPage(batch)) },
      isNewest ? ['id'] : ['number', 'id'],
      (after, count) => (isNewest ? newestAnswers : answersByItem)(db, taskId, query, after, count),
      (row) => (isNewest ? [row.id] : [row.number, row.worker_id]),
    )
    return rows.map((row) => presentAnswer(row, content.form))
  })

  serve(app, context, contract.batchSummary, async ({ db, params, viewer }) => {
    const { task_id: taskId, content } = await ownBatch(db, params.id, viewer.id)
    return taskId === null ? [] : summarize(db, taskId, content.form)
  })

  serve(app, context, contract.batchAnswersCsv, async ({ db, params, query, viewer, request, reply }) => {
    const batch = await ownBatch(db, params.id, viewer.id)
    await logExport(db, viewer.id, viewer.id, clientOf(request), 'batch_answers')
    return sendAnswersCsv(reply, db, batch, query.raw === 'true')
  })

  serve(app, context, contract.batchAnswersJsonLines, async ({ db, params, viewer, request, reply }) => {
    const batch = await ownBatch(db, params.id, viewer.id)
    await logExport(db, viewer.id, viewer.id, clientOf(request), 'batch_answers')
    return sendAnswersJsonLines(reply, db, batch)
  })

  serve(app, context, contract.decideBatch, async ({ db, params, body, viewer, request }) => {
    const { task_id: taskId } = await ownBatch(db, params.id, viewer.id)
    const outcomes = body.preview
      ? await previewDecisions(db, taskId, body.decisions)
      : await applyDecisions(db, context.config, taskId, viewer.id, body.decisions)
    return outcomes.map((outcome) => presentOutcome(outcome, requestLocale(request)))
  })
}

function answersPerPage({ bytes, items }: BatchRow): number {
  return Math.max(1, Math.floor((PAGE_BYTES * items) / bytes))
}
