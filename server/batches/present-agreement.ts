import { type AnswerForm, closedFields } from '#contract/answer-form.ts'
import type { BatchAgreementSummary, BatchWorker, ItemAgreement } from '#contract/batch-agreement.ts'
import type { ProjectContent } from '#contract/projects.ts'
import type { AgreementRow, AgreementSummaryRow, BatchWorkerRow } from './agreement-queries.ts'
import { answerOf } from './closed-answers.ts'
import type { StoredAgreement } from './store-agreement.ts'

const NONE: StoredAgreement = [0, -1, 0, -1, 0]

export function presentItemAgreement(row: AgreementRow, form: AnswerForm): ItemAgreement {
  return {
    item: row.number,
    input: row.input,
    answers: row.answers,
    share: row.share,
    questions: closedFields(form).map((field, place) => {
      const [answers, majority, share, estimate, probability] = row.questions[place] ?? NONE
      return {
        name: field.name,
        answers,
        majority: answerOf(field, majority),
        isTie: answers > 1 && majority < 0,
        share,
        estimate: answerOf(field, estimate),
        probability,
      }
    }),
  }
}

/** Returns the summary of a batch's agreement. Without a row nothing was submitted yet. */
export function presentAgreementSummary(
  row: AgreementSummaryRow | undefined,
  form: AnswerForm,
): BatchAgreementSummary {
  if (row === undefined) return { computedAt: null, isDue: false, answers: 0, questions: [] }
  return {
    computedAt: row.computed_at,
    isDue: row.is_due,
    answers: row.answers,
    questions: closedFields(form).flatMap(({ name, label }, place) => {
      const summary = row.questions[place]
      if (summary === undefined) return []
      const { items, unanimous, tied, meanShare, iterations, isConverged } = summary
      return { name, label, items, unanimous, tied, share: meanShare, iterations, isConverged }
    }),
  }
}

export function presentBatchWorker(row: BatchWorkerRow, { form, quality }: ProjectContent): BatchWorker {
  const least = quality?.leastScore ?? 0
  return {
    worker: row.worker,
    answers: row.answers,
    golden: row.golden_answers,
    right: row.golden_right,
    compared: row.compared,
    agreeing: row.agreeing,
    score: row.score === null ? null : Math.round(row.score * 10) / 10,
    scoreOf: row.score === null ? null : row.is_golden ? 'golden' : 'agreement',
    isOffered: row.score === null || row.score >= least,
    errorRates: closedFields(form).map(({ name }, place) => ({ name, rate: row.error_rates[place] ?? null })),
  }
}
