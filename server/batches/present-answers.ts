import { type AnswerForm, answerTo, closedFields } from '#contract/answer-form.ts'
import type { BatchAnswer } from '#contract/batch-answers.ts'
import type { AnswerRow } from './answers.ts'
import { codeOf } from './closed-answers.ts'

export function presentAnswer(row: AnswerRow, form: AnswerForm): BatchAnswer {
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
    agreement: row.share,
    isMajority: isMajority(row, form),
    known: row.golden,
    isRight: row.is_right,
  }
}

/** Returns whether answers are those of the majority in every question that has one; null where none has. */
function isMajority({ agreement, answers }: AnswerRow, form: AnswerForm): boolean | null {
  const compared = closedFields(form).flatMap((field, place) => {
    const [votes, majority] = agreement?.[place] ?? [0, -1]
    return votes > 1 && majority >= 0 ? [codeOf(field, answerTo(answers, field.name)) === majority] : []
  })
  return compared.length === 0 ? null : compared.every(Boolean)
}
