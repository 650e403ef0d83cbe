import type { Locale } from '#contract/locales.ts'
import { STATE_RULES } from '#contract/submission-states.ts'
import type { Submission } from '#contract/submissions.ts'
import type { ApprovalResult } from './bulk-approve.ts'
import type { SubmissionRow } from './queries.ts'

export function presentSubmission(row: SubmissionRow): Submission {
  const { status, waitsFor } = STATE_RULES[row.state]
  return {
    _id: row.id,
    taskId: row.task_id,
    taskVersion: row.task_version,
    item: row.item_number,
    task_title: row.task_title,
    payable_amount: row.reward,
    worker_name: row.worker_name,
    worker_email: row.worker_email,
    buyer_email: row.buyer_email,
    buyer_name: row.buyer_name,
    required_workers_left: row.slots_left,
    submissoin_data: row.text,
    status,
    state: row.state,
    taskImg: row.image_url,
    taskCategory: row.task_category,
    reason: row.reason,
    category: row.category,
    requirement: row.requirement,
    revisionRequest: row.revision_request,
    slotReopened: row.slot_reopened,
    workerRecord: presentWorkerRecord(row),
    workSeconds: row.work_seconds,
    createdAt: row.created_at,
    decidedAt: status === 'rejected' ? (row.rejected_at ?? row.decided_at) : row.decided_at,
    decidedBy: row.decided_by,
    dueAt: waitsFor === null ? null : row.due_at,
    reviewBy: row.state === 'pending' ? row.due_at : null,
  }
}

function presentWorkerRecord(row: SubmissionRow): Submission['workerRecord'] {
  const { worker_approved: approved, worker_rejected: rejected } = row
  return approved === null || rejected === null ? null : { approved, rejected }
}

export function presentApproval({ id, modified, refusal }: ApprovalResult, locale: Locale) {
  return { _id: id, modified, error: refusal && { code: refusal.code, message: refusal.in(locale).message } }
}
