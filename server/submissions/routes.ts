import type { FastifyInstance } from 'fastify'
import { SUBMISSIONS_PAGE } from '#contract/product.ts'
import { detailOfTask } from '#contract/projects.ts'
import * as rejections from '#contract/rejections.ts'
import * as revisions from '#contract/revisions.ts'
import {
  STATE_RULES,
  SUBMISSION_STATES,
  type SubmissionState,
  type SubmissionStatus,
} from '#contract/submission-states.ts'
import * as contract from '#contract/submissions.ts'
import type { RouteContext } from '#server/context.ts'
import type { Db } from '#server/database/database.ts'
import { hasNoWord } from '#server/database/search-words.ts'
import { emailKey } from '#server/email-key.ts'
import type { Viewer } from '#server/http/caller.ts'
import { page } from '#server/http/pagination.ts'
import { Refusal } from '#server/http/refusal.ts'
import { requestLocale } from '#server/http/request-locale.ts'
import { serve } from '#server/http/serve.ts'
import { taskTextOfSubmission } from '#server/tasks/queries.ts'
import { searchTermsOf } from '#server/tasks/search-terms.ts'
import { isMasked } from '#server/users/mask-email.ts'
import { approveSubmission } from './approve.ts'
import { payBonus } from './bonus.ts'
import { approveSubmissions } from './bulk-approve.ts'
import { acceptRejection, concedeRejection, reopenSlot, reverseRejection } from './end-dispute.ts'
import { presentApproval, presentSubmission } from './present.ts'
import {
  countOfWorker,
  countOfWorkerMatching,
  newestOfBuyer,
  ofWorkerInStates,
  ofWorkerMatching,
  oldestOfBuyer,
  roleByEmailKey,
  statesOfWorker,
} from './queries.ts'
import { needsReviewer, rejectSubmission } from './reject.ts'
import { requestRevision, reviseSubmission } from './revise.ts'
import { submitWork } from './submit.ts'

export function submissionRoutes(app: FastifyInstance, context: RouteContext): void {
  serve(app, context, contract.submitWork, async ({ db, body, viewer }) => {
    const work = { taskId: body.taskId, text: body.submissoin_data }
    const shown = {
      reward: body.payable_amount,
      workerEmail: body.worker_email,
      // Clients copy it from the task's details, where PUBLIC_EMAILS=masked masks it.
      buyerEmail: isMasked(body.buyer_email ?? '') ? undefined : body.buyer_email,
      taskVersion: body.taskVersion,
    }
    return { acknowledged: true, insertedId: await submitWork(db, context.config, viewer, work, shown) }
  })

  serve(app, context, contract.taskOfSubmission, async ({ db, params, viewer }) => {
    const [text] = await taskTextOfSubmission(db, params.id)
    const isParty = text?.worker_id === viewer.id || text?.buyer_id === viewer.id || viewer.role === 'Admin'
    if (text === undefined || !isParty) throw new Refusal('submission_not_found')
    return {
      taskVersion: text.task_version,
      current: text.current,
      task_title: text.title,
      task_detail: detailOfTask(text.detail, text.input, text.worker_id === viewer.id),
      submission_info: text.submission_info,
    }
  })

  serve(app, context, contract.taskToReview, async ({ db, query, reply, viewer }) => {
    const user = await findUser(db, query.email, viewer)
    if (user === undefined) return []
    const isWorker = user.role === 'Worker'
    // A buyer has nothing to review while the worker revises.
    const status = query.status ?? 'pending'
    const states = query.state
      ? [query.state]
      : statesOf(status).filter((state) => isWorker || state !== 'revision_requested')
    const oldestFirst = !isWorker && states.every((state) => STATE_RULES[state].waitsFor !== null)
    const rows = await page(
      reply,
      query,
      ['id'],
      ([after], count) => {
        const from = after as string | null
        if (isWorker) return ofWorkerInStates(db, user.id, states, from, 0, count)
        return (oldestFirst ? oldestOfBuyer : newestOfBuyer)(db, user.id, states, from, count)
      },
      (row) => [row.id],
    )
    return rows.map(presentSubmission)
  })

  serve(app, context, contract.updateSubmissionStatus, async ({ db, params, viewer }) => {
    const { matched, modified } = await approveSubmission(db, params.id, viewer.id)
    return { acknowledged: true, matchedCount: matched, modifiedCount: modified }
  })

  serve(app, context, contract.approveSubmissions, async ({ db, body, viewer, request }) => {
    const results = await approveSubmissions(db, body.ids, viewer.id)
    return { results: results.map((result) => presentApproval(result, requestLocale(request))) }
  })

  serve(app, context, rejections.rejectSubmission, async ({ db, params, body, viewer }) => {
    const deletedCount = await rejectSubmission(db, context.config, params.id, viewer.id, {
      ...body,
      reason: body?.reason ?? '',
    })
    return { acknowledged: true, deletedCount }
  })

  serve(app, context, rejections.rejectionRule, async ({ db, viewer }) => ({
    needsReviewer: await needsReviewer(db, context.config, viewer.id),
  }))

  serve(app, context, revisions.requestRevision, async ({ db, params, body, viewer }) => {
    await requestRevision(db, params.id, viewer.id, body.text)
    return { acknowledged: true }
  })

  serve(app, context, revisions.reviseSubmission, async ({ db, params, body, viewer }) => {
    await reviseSubmission(db, context.config, params.id, viewer.id, body.submissoin_data)
    return { acknowledged: true }
  })

  serve(app, context, rejections.acceptRejection, async ({ db, params, viewer }) => {
    await acceptRejection(db, params.id, viewer.id)
    return { acknowledged: true }
  })

  serve(app, context, rejections.concedeRejection, async ({ db, params, viewer }) => {
    await concedeRejection(db, params.id, viewer.id)
    return { acknowledged: true }
  })

  serve(app, context, rejections.reverseRejection, async ({ db, params, viewer }) => {
    await reverseRejection(db, params.id, viewer.id)
    return { acknowledged: true }
  })

  serve(app, context, rejections.reopenSlot, async ({ db, params, viewer }) => {
    await reopenSlot(db, params.id, viewer.id)
    return { acknowledged: true }
  })

  serve(app, context, contract.payBonus, async ({ db, params, body, viewer }) => {
    const bonus = { coins: body.coins, message: body.message ?? '' }
    return { acknowledged: true, insertedId: await payBonus(db, params.id, viewer.id, bonus) }
  })

  serve(app, context, contract.mySubmissions, async ({ db, params, query, reply, viewer }) => {
    const user = await findUser(db, params.email, viewer)
    if (user === undefined || hasNoWord(query.q ?? '')) return { tasks: [], totalTasks: 0 }
    const { page: index = 0, limit = SUBMISSIONS_PAGE, ...list } = query
    const skip = list.cursor === undefined ? index * limit : 0
    const live = [...statesOf('pending'), ...statesOf('approved')]
    const states = query.state ? [query.state] : query.status ? statesOf(query.status) : live
    const words = await searchTermsOf(db, query.q ?? '')
    const [rows, counts] = await Promise.all([
      page(
        reply,
        { ...list, limit },
        ['id'],
        ([after], count) => {
          const from = after as string | null
          if (words !== null) return ofWorkerMatching(db, user.id, words, states, from, skip, count)
          return ofWorkerInStates(db, user.id, states, from, skip, count)
        },
        (row) => [row.id],
      ),
      words === null ? countOfWorker(db, user.id) : countOfWorkerMatching(db, user.id, words),
    ])
    const totalTasks = counts.reduce((sum, { state, count }) => sum + (states.includes(state) ? count : 0), 0)
    reply.header('x-total-count', totalTasks)
    return { tasks: rows.map(presentSubmission), totalTasks }
  })

  serve(app, context, contract.mySubmissionCounts, ({ db, viewer }) => countOfWorker(db, viewer.id))

  serve(app, context, contract.myTaskStates, async ({ db, query, viewer }) => {
    const rows = await statesOfWorker(db, viewer.id, query.tasks ?? [])
    return rows.map(({ task_id, state }) => ({ taskId: task_id, state }))
  })
}

const statesOf = (status: SubmissionStatus | 'all'): SubmissionState[] =>
  SUBMISSION_STATES.filter((state) => status === 'all' || STATE_RULES[state].status === status)

/** Returns the user with this email. It is nearly always the viewer, who needs no query. */
async function findUser(
  db: Db,
  email: string,
  viewer: Viewer,
): Promise<Pick<Viewer, 'id' | 'role'> | undefined> {
  const key = emailKey(email) ?? ''
  return key === viewer.emailKey ? viewer : (await roleByEmailKey(db, key))[0]
}
