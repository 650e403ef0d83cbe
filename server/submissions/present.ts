import type { Submission } from '#contract/submissions.ts'
import type { SubmissionRow } from './queries.ts'

export function presentSubmission(row: SubmissionRow): Submission {
  return {
    _id: row.id,
    taskId: row.task_id,
    taskVersion: row.task_version,
    task_title: row.task_title,
    payable_amount: row.reward,
    worker_name: row.worker_name,
    worker_email: row.worker_email,
    buyer_email: row.buyer_email,
    buyer_name: row.buyer_name,
    required_workers_left: row.slots_left,
    submissoin_data: row.text,
    status: row.status,
    taskImg: row.image_url,
    reason: row.reason,
    createdAt: row.created_at,
    decidedAt: row.decided_at,
    reviewBy: row.status === 'pending' ? row.review_by : null,
  }
}
