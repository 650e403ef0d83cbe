import type { FastifyInstance } from 'fastify'
import * as contract from '#contract/appeals.ts'
import type { RouteContext } from '#server/context.ts'
import { page } from '#server/http/pagination.ts'
import { serve } from '#server/http/serve.ts'
import { defendRejection, openAppeal } from './appeal.ts'
import { readCase } from './case.ts'
import { decideReviews } from './decide.ts'
import { presentReview } from './present.ts'
import { openReviewsOf } from './queries.ts'
import { readAppealStatistics } from './statistics.ts'

export function appealRoutes(app: FastifyInstance, context: RouteContext): void {
  serve(app, context, contract.openAppeal, async ({ db, params, body, viewer }) => {
    await openAppeal(db, params.id, viewer.id, body)
    return { acknowledged: true }
  })

  serve(app, context, contract.defendRejection, async ({ db, params, body, viewer }) => {
    await defendRejection(db, params.id, viewer.id, body.text)
    return { acknowledged: true }
  })

  serve(app, context, contract.submissionCase, ({ db, params, viewer, caller }) =>
    readCase(db, params.id, viewer, caller.key),
  )

  serve(app, context, contract.listReviews, async ({ db, query, reply, viewer }) => {
    const rows = await page(
      reply,
      query,
      ['time', 'id'],
      ([due, id], count) =>
        openReviewsOf(db, viewer.id, query.caseOf ?? null, due as string | null, id as string | null, count),
      (row) => [row.due_at, row.id],
    )
    return rows.map(presentReview)
  })

  serve(app, context, contract.decideReviews, async ({ db, body, viewer }) => {
    const { ids, decision, reason } = body
    await decideReviews(db, context.config, viewer.id, { submissions: ids, decision, reason })
    return { acknowledged: true }
  })

  serve(app, context, contract.appealStatistics, ({ db }) => readAppealStatistics(db, context.config))
}
