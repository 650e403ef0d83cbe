import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Locale } from '#contract/locales.ts'
import * as contract from '#contract/task-drafts.ts'
import type { RouteContext } from '#server/context.ts'
import { Refusal } from '#server/http/refusal.ts'
import { requestLocale } from '#server/http/request-locale.ts'
import { serve } from '#server/http/serve.ts'
import { requireVerifiedEmail } from '#server/identity/require-verified-email.ts'
import {
  changeDraft,
  createDraft,
  type DraftRow,
  deleteDraft,
  draftOf,
  draftsOfBuyer,
  renameDraft,
  scheduleDraft,
} from './drafts.ts'

export function taskDraftRoutes(app: FastifyInstance, context: RouteContext): void {
  const { config } = context

  serve(app, context, contract.taskDrafts, async ({ db, viewer, request }) =>
    (await draftsOfBuyer(db, viewer.id)).map((row) => present(row, request)),
  )

  serve(app, context, contract.taskDraft, async ({ db, params, viewer, request }) =>
    present(await draftOf(db, params.id, viewer.id), request),
  )

  serve(app, context, contract.createTaskDraft, async ({ db, body, viewer, request }) =>
    present(await createDraft(db, viewer.id, body), request),
  )

  serve(app, context, contract.changeTaskDraft, async ({ db, params, body, viewer, request }) =>
    present(await changeDraft(db, config, params.id, viewer.id, body), request),
  )

  serve(app, context, contract.renameTaskDraft, async ({ db, params, body, viewer, request }) =>
    present(await renameDraft(db, params.id, viewer.id, body.name), request),
  )

  serve(app, context, contract.scheduleTaskDraft, async ({ db, params, body, caller, viewer, request }) => {
    if (body.postAt !== null) requireVerifiedEmail(config, caller, 'post')
    return present(await scheduleDraft(db, config, params.id, viewer.id, body.postAt), request)
  })

  serve(app, context, contract.deleteTaskDraft, async ({ db, params, viewer }) => {
    await deleteDraft(db, params.id, viewer.id)
    return undefined
  })
}

function present(row: DraftRow, request: FastifyRequest): contract.TaskDraft {
  return {
    ...row.task,
    _id: row.id,
    name: row.name,
    template: row.is_template,
    version: row.version,
    createdAt: row.created_at,
    changedAt: row.changed_at,
    postAt: row.post_at,
    failure: failureOf(row, requestLocale(request)),
  }
}

/** Returns why a draft was not posted. Drafts refused by version 0.3 and earlier have a sentence in English. */
function failureOf(row: DraftRow, locale: Locale): contract.TaskDraft['failure'] {
  if (row.refusal !== null) {
    const refusal = Refusal.of(row.refusal)
    return { code: refusal.code, message: refusal.in(locale).message }
  }
  return row.failure_code === null ? null : { code: row.failure_code, message: row.failure_message ?? '' }
}
