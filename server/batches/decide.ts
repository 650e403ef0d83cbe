import type { Decision, DecisionResult } from '#contract/batch-answers.ts'
import type { Locale } from '#contract/locales.ts'
import type { SubmissionState } from '#contract/submission-states.ts'
import type { Config } from '#server/config.ts'
import { type Db, query } from '#server/database/database.ts'
import { Refusal } from '#server/http/refusal.ts'
import { approveSubmissions } from '#server/submissions/bulk-approve.ts'
import { rejectSubmissions } from '#server/submissions/bulk-reject.ts'

type Outcome = { submission: string; result: DecisionResult['result']; refusal: Refusal | null }

type Current = { id: string; state: SubmissionState; is_late: boolean; buyer_is_frozen: boolean }

const statesInTask = query<Current, [task: string | null, submissions: string[]]>(
  'states_of_batch_submissions',
  `select id, status as state, due_at <= clock_time() as is_late,
          (select is_frozen(buyer_id) from tasks where id = $1) as buyer_is_frozen
     from submissions where id = any ($2::uuid[]) and task_id = $1`,
)

const lockBuyer = query<never, [buyer: string]>(
  'batch_decisions_lock_buyer',
  'select from users where id = $1 for no key update',
)

const lockTask = query<never, [task: string | null]>(
  'batch_decisions_lock_task',
  'select from tasks where id = $1 for no key update',
)

/** Returns what decisions about submissions of a batch's task would do now. */
export async function previewDecisions(
  db: Db,
  taskId: string | null,
  decisions: readonly Decision[],
): Promise<Outcome[]> {
  const rows = await statesInTask(
    db,
    taskId,
    decisions.map(({ submission }) => submission),
  )
  const currentOf = new Map(rows.map((row) => [row.id, row]))
  return decisions.map(({ submission, decision }) => {
    const current = currentOf.get(submission)
    const outcome = outcomeOf(submission, decision, current?.state, current?.is_late)
    return outcome.result === 'approved' && current?.buyer_is_frozen === true
      ? { submission, result: 'refused', refusal: new Refusal('account_frozen') }
      : outcome
  })
}

/**
 * Approves and rejects submissions of a batch's task, each like a single decision. Returns an outcome per decision, in their order.
 * Repeated decisions change nothing.
 * @throws Refusal `account_frozen` when the buyer of approvals alone is frozen meanwhile.
 */
export async function applyDecisions(
  db: Db,
  config: Config,
  taskId: string | null,
  buyerId: string,
  decisions: readonly Decision[],
): Promise<Outcome[]> {
  // As a rejection locks them. After the approvals, which share the buyer's lock and lock submissions and accounts, two requests, or one
  // and a deadline, would wait for each other. Before the plan, so that the buyer is not frozen after it.
  if (new Set(decisions.map(({ decision }) => decision)).size > 1) {
    await lockBuyer(db, buyerId)
    await lockTask(db, taskId)
  }
  const planned = await previewDecisions(db, taskId, decisions)
  const planFor = (result: Outcome['result']) => planned.filter((one) => one.result === result)
  const rejectionOf = new Map(
    decisions.map(({ submission, reason = '', category, requirement }) => [
      submission,
      { id: submission, reason, category, requirement },
    ]),
  )
  const toApprove = planFor('approved').map(({ submission }) => submission)
  const toReject = planFor('rejected').flatMap(({ submission }) => rejectionOf.get(submission) ?? [])

  // What changed since the plan was made gets the outcome that it has now.
  const done = new Map<string, Outcome>()
  if (toApprove.length > 0) {
    for (const { id, modified, refusal } of await approveSubmissions(db, toApprove, buyerId)) {
      const result = modified ? 'approved' : refusal === null ? 'unchanged' : 'refused'
      done.set(id, { submission: id, result, refusal })
    }
  }
  if (toReject.length > 0) {
    for (const row of await rejectSubmissions(db, config, toReject, buyerId)) {
      const { submission, modified, current_status: state } = row
      const outcome: Outcome = modified
        ? { submission, result: 'rejected', refusal: null }
        : outcomeOf(submission, 'reject', state ?? undefined, true)
      done.set(submission, outcome)
    }
  }
  return planned.map((one) => done.get(one.submission) ?? one)
}

function outcomeOf(
  submission: string,
  decision: Decision['decision'],
  state: SubmissionState | undefined,
  isLate = false,
): Outcome {
  const refused = (refusal: Refusal): Outcome => ({ submission, result: 'refused', refusal })
  const unchanged: Outcome = { submission, result: 'unchanged', refusal: null }
  if (state === undefined) return refused(new Refusal('submission_not_found'))
  if (decision === 'approve') {
    if (state === 'approved') return unchanged
    if (state === 'pending' || state === 'revision_requested')
      return { submission, result: 'approved', refusal: null }
    return refused(new Refusal('already_decided.submission', { params: { status: 'rejected' } }))
  }
  if (state === 'pending' && isLate) return refused(new Refusal('deadline_passed.review'))
  if (state === 'pending') return { submission, result: 'rejected', refusal: null }
  if (state === 'revision_requested') return refused(new Refusal('state_conflict.revision'))
  if (state === 'approved')
    return refused(new Refusal('already_decided.submission', { params: { status: 'approved' } }))
  return unchanged
}

export function presentOutcome({ submission, result, refusal }: Outcome, locale: Locale): DecisionResult {
  return {
    submission,
    result,
    error: refusal && { code: refusal.code, message: refusal.in(locale).message },
  }
}
