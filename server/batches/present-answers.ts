import type { BatchAnswer } from '#contract/batch-answers.ts'
import type { AnswerRow } from './answers.ts'

export function presentAnswer(row: AnswerRow): BatchAnswer {
  return {
    _id: row.id,
    item: row.number,
    input: row.input,
    worker: row.worker,
    answers: row.answers,
    state: row.state,
    acceptedAt: row.reserved_at,
    submittedAt: row.created_at,
    approvedAt: row.state === 'approved' ? row.decided_at : null,
    rejectedAt: row.state === 'approved' ? null : (row.rejected_at ?? row.decided_at),
    workSeconds: row.work_seconds,
    reason: row.reason,
  }
}
