import type { AnswerForm, Answers, ClosedField } from '#contract/answer-form.ts'
import { closedFields } from '#contract/answer-form.ts'
import type { ProjectContent } from '#contract/projects.ts'

type Value = Answers[string]

/** Returns the number of an answer to a question with options: see AgreementInput. -1 without an answer. */
export function codeOf({ type, options }: ClosedField, value: Value | null | undefined): number {
  if (value === null || value === undefined) return -1
  if (type === 'choice') return options.indexOf(String(value))
  const chosen = options.filter((option) => [value].flat().includes(option))
  return chosen.reduce((sum, option) => sum + 2 ** options.indexOf(option), 0)
}

/** Returns the answer with a number; null for -1. */
export function answerOf({ type, options }: ClosedField, code: number): string | string[] | null {
  if (code < 0) return null
  if (type === 'choice') return options[code] ?? null
  return options.filter((_, place) => Math.floor(code / 2 ** place) % 2 === 1)
}

/** Returns the names of the questions with options. */
export const closedNames = (form: AnswerForm): string[] => closedFields(form).map(({ name }) => name)

export type ApprovalRule = [closed: string[], share: number | null]

/** Returns the questions whose answers are compared, and the share in percent that approves; null: the buyer decides. */
export const approvalRule = ({ form, quality }: ProjectContent): ApprovalRule => [
  closedNames(form),
  quality?.approveShare ?? null,
]
