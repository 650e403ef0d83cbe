import type { FastifyInstance } from 'fastify'
import * as contract from '#contract/task-drafts.ts'
import type { RouteContext } from '#server/context.ts'
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

  serve(app, context, contract.taskDrafts, async ({ db, viewer }) =>
    (await draftsOfBuyer(db, viewer.id)).map(present),
  )

  serve(app, context, contract.taskDraft, async ({ db, params, viewer }) =>
    present(await draftOf(db, viewer.id, params.id)),
  )

  serve(app, context, contract.createTaskDraft, async ({ db, body, viewer }) =>
    present(await createDraft(db, viewer.id, body)),
  )

  serve(app, context, contract.changeTaskDraft, async ({ db, params, body, viewer }) =>
    present(await changeDraft(db, config, viewer.id, params.id, body)),
  )

  serve(app, context, contract.renameTaskDraft, async ({ db, params, body, viewer }) =>
    present(await renameDraft(db, config, viewer.id, params.id, body.name)),
  )

  serve(app, context, contract.scheduleTaskDraft, async ({ db, params, body, caller, viewer }) => {
    if (body.postAt !== null) requireVerifiedEmail(config, caller, 'post')
    return present(await scheduleDraft(db, config, viewer.id, params.id, body.postAt))
  })

  serve(app, context, contract.deleteTaskDraft, async ({ db, params, viewer }) => {
    await deleteDraft(db, viewer.id, params.id)
    return undefined
  })
}

function present(row: DraftRow): contract.TaskDraft {
  return {
    ...row.task,
    _id: row.id,
    name: row.name,
    template: row.is_template,
    createdAt: row.created_at,
    changedAt: row.changed_at,
    postAt: row.post_at,
    failure:
      row.failure_code === null ? null : { code: row.failure_code, message: row.failure_message ?? '' },
  }
}
