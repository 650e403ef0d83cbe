import type { FastifyInstance } from 'fastify'
import * as contract from '#contract/batch-answers.ts'
import type { RouteContext } from '#server/context.ts'
import { page } from '#server/http/pagination.ts'
import { requestLocale } from '#server/http/request-locale.ts'
import { serve } from '#server/http/serve.ts'
import { sendAnswersCsv, sendAnswersJsonLines } from './answer-files.ts'
import { type AnswerRow, answersByItem, newestAnswers } from './answers.ts'
import { applyDecisions, presentOutcome, previewDecisions } from './decide.ts'
import { presentAnswer } from './present-answers.ts'
import { ownBatch } from './queries.ts'
import { summarize } from './summary.ts'

export function answerRoutes(app: FastifyInstance, context: RouteContext): void {
  serve(app, context, contract.batchAnswers, async ({ db, params, query, reply, viewer }) => {
    const { task_id: taskId, content } = await ownBatch(db, params.id, viewer.id)
    if (taskId === null) return []
    const isNewest = query.sort === 'newest'
    const rows = await page<AnswerRow>(
      reply,
      query,
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

  serve(app, context, contract.batchAnswersCsv, async ({ db, params, query, viewer, reply }) =>
    sendAnswersCsv(reply, db, await ownBatch(db, params.id, viewer.id), query.raw === 'true'),
  )

  serve(app, context, contract.batchAnswersJsonLines, async ({ db, params, viewer, reply }) =>
    sendAnswersJsonLines(reply, db, await ownBatch(db, params.id, viewer.id)),
  )

  serve(app, context, contract.decideBatch, async ({ db, params, body, viewer, request }) => {
    const { task_id: taskId } = await ownBatch(db, params.id, viewer.id)
    const outcomes = body.preview
      ? await previewDecisions(db, taskId, body.decisions)
      : await applyDecisions(db, context.config, taskId, viewer.id, body.decisions)
    return outcomes.map((outcome) => presentOutcome(outcome, requestLocale(request)))
  })
}
