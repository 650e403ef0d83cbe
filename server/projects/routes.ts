import type { FastifyInstance } from 'fastify'
import { answerText } from '#contract/answer-form.ts'
import * as contract from '#contract/projects.ts'
import type { RouteContext } from '#server/context.ts'
import { page } from '#server/http/pagination.ts'
import { serve } from '#server/http/serve.ts'
import { requireValidAnswers } from './check-answers.ts'
import { presentItem, presentListedProject, presentProject } from './present.ts'
import { ownProject, projectsOf } from './queries.ts'
import { changeProject, createProject, setProjectArchived } from './save.ts'

export function projectRoutes(app: FastifyInstance, context: RouteContext): void {
  serve(app, context, contract.projects, async ({ db, query, reply, viewer }) => {
    const rows = await page(
      reply,
      query,
      ['id'],
      ([before], count) =>
        projectsOf(
          db,
          viewer.id,
          query.archived === 'true',
          query.q?.trim() || null,
          (before ?? null) as string | null,
          count,
        ),
      ({ id }) => [id],
    )
    return rows.map(presentListedProject)
  })

  serve(app, context, contract.createProject, async ({ db, body, viewer }) =>
    presentProject(await createProject(db, viewer.id, body)),
  )

  serve(app, context, contract.project, async ({ db, params, viewer }) =>
    presentProject(await ownProject(db, params.id, viewer.id)),
  )

  serve(app, context, contract.changeProject, async ({ db, params, body, viewer }) =>
    presentProject(await changeProject(db, params.id, viewer.id, body)),
  )

  serve(app, context, contract.setProjectArchived, async ({ db, params, body, viewer }) =>
    presentProject(await setProjectArchived(db, params.id, viewer.id, { isArchived: body.archived })),
  )

  serve(app, context, contract.previewProject, async ({ db, params, body, viewer }) => {
    const { content } = await ownProject(db, params.id, viewer.id)
    const answers = body.answers && requireValidAnswers(content.form, body.answers)
    return {
      ...presentItem(content, body.input),
      answerText: answers === undefined ? null : answerText(content.form, answers),
    }
  })
}
