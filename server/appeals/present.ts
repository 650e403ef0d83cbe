import type { Case, CaseStep, Review } from '#contract/appeals.ts'
import { REVERSAL_DAYS, REVISION_DAYS } from '#contract/product.ts'
import { detailOfTask } from '#contract/projects.ts'
import { STATE_RULES } from '#contract/submission-states.ts'
import type { CaseRow, ReviewRow } from './queries.ts'

const DAY_MS = 86_400_000

/** Returns a case as this viewer may see it: a reviewer sees no names, and only an Admin the task that has them. */
export function presentCase(
  row: CaseRow,
  viewer: Case['viewer'],
  { isAdmin = false, decides = false } = {},
): Case {
  const isReviewer = viewer === 'reviewer'
  const canReverse = row.state === 'rejected' && !row.worker_deleted && row.decided_at !== null
  return {
    _id: row.id,
    viewer,
    state: row.state,
    dueAt: STATE_RULES[row.state].waitsFor === null ? null : row.due_at,
    payable_amount: row.reward,
    taskId: isReviewer && !isAdmin ? null : row.task_id,
    task_title: row.title,
    task_detail: detailOfTask(row.detail, row.input, viewer === 'worker'),
    submission_info: row.submission_info,
    taskImg: row.image_url,
    taskCategory: row.task_category,
    submissoin_data: row.text,
    item: row.item_number,
    category: row.category,
    requirement: row.requirement,
    reason: row.reason,
    worker_name: isReviewer ? null : row.worker_name,
    buyer_name: isReviewer ? null : row.buyer_name,
    held: row.state === 'in_review' && row.appealed_at === null,
    round: row.state === 'in_review' ? (row.reviews.at(-1)?.round ?? 1) : null,
    slotReopened: row.slot_reopened,
    reversibleUntil: canReverse
      ? new Date(Date.parse(row.decided_at ?? '') + REVERSAL_DAYS * DAY_MS).toISOString()
      : null,
    isClosed: row.task_closed,
    decides,
    steps: stepsOf(row),
  }
}

/** Returns everything said and moved, oldest first. */
function stepsOf(row: CaseRow): CaseStep[] {
  const steps: CaseStep[] = []
  const add = (
    step: CaseStep['step'],
    at: string | null,
    text = '',
    {
      pictures = [],
      decidedBy = null,
      coins = null,
    }: Partial<Pick<CaseStep, 'pictures' | 'decidedBy' | 'coins'>> = {},
  ) => {
    if (at !== null) steps.push({ step, at, text, pictures, decidedBy, coins })
  }
  add('submitted', row.created_at, row.text_before ?? row.text)
  add('revision_requested', row.revision_requested_at, row.revision_request ?? '')
  add('revised', row.revised_at, row.text)
  add('revision_missed', missedRevisionAt(row))
  add('rejected', row.rejected_at, row.reason)
  add('appealed', row.appealed_at, row.appeal_text ?? '', { pictures: row.appeal_pictures ?? [] })
  add('defended', row.defended_at, row.defence ?? '')
  for (const { decision, decidedAt, reason, secondRoundAt } of row.reviews) {
    add('second_review', secondRoundAt)
    if (decision !== null) add(`review_${decision}`, decidedAt, reason)
  }
  add('rejection_final', row.final_at, '', { decidedBy: row.final_by })
  const final = row.state === 'approved' ? 'approved' : 'rejection_final'
  add(final, row.decided_at, '', { decidedBy: row.decided_by })
  for (const { kind, coins, at } of row.slot_transfers) add(kind, at, '', { coins })
  for (const { coins, message, at } of row.bonuses) add('bonus', at, message, { coins })
  return steps.toSorted((a, b) => Date.parse(a.at) - Date.parse(b.at))
}

/** Returns when the time for a revision ended without one; null if it did not. A decision before it ends the wait. */
function missedRevisionAt(row: CaseRow): string | null {
  if (row.revision_requested_at === null || row.revised_at !== null || row.state === 'revision_requested')
    return null
  const end = Date.parse(row.revision_requested_at) + REVISION_DAYS * DAY_MS
  const decidedAt = row.rejected_at ?? row.decided_at
  return decidedAt !== null && Date.parse(decidedAt) < end ? null : new Date(end).toISOString()
}

export function presentReview(row: ReviewRow): Review {
  return {
    _id: row.id,
    caseId: row.case_id,
    caseSize: row.case_size,
    task_title: row.title,
    category: row.category,
    reason: row.reason,
    requirement: row.requirement,
    submissoin_data: row.text,
    payable_amount: row.reward,
    held: row.unconfirmed,
    round: row.round,
    openedAt: row.opened_at,
    dueAt: row.due_at,
  }
}
