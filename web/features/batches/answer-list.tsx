import { t } from '@lingui/core/macro'
import { type AnswerForm, type Answers, answerTo } from '#contract/answer-form.ts'
import { AnswerValue } from './answer-value.tsx'

type Props = {
  form: AnswerForm
  answers: Answers
  /** The known answers of a golden item. */
  known?: Answers | null
}

/** Renders a worker's answers by the questions of the form. */
export function AnswerList({ form, answers, known }: Props) {
  return (
    <dl className="space-y-3">
      {form.fields.map((field) => (
        <div key={field.name}>
          <dt className="font-nav wrap-anywhere">{field.label}</dt>
          <dd>
            <AnswerValue field={field} value={answerTo(answers, field.name)} isWhole />
          </dd>
          {answerTo(known ?? {}, field.name) !== undefined && (
            <dd className="text-dim">
              {t`Known answer: ${{ answer: [answerTo(known ?? {}, field.name)].flat().join(', ') }}`}
            </dd>
          )}
        </div>
      ))}
    </dl>
  )
}
