import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import type { AnswerForm } from '#contract/answer-form.ts'
import { batchAgreement, type QuestionAgreement } from '#contract/batch-agreement.ts'
import { formatPercent, percentOf } from '#web/lib/dashboard-format.ts'
import { formatNumber } from '#web/lib/format.ts'
import { queryOf } from '#web/lib/queries.ts'

type Props = { batchId: string; item: number; form: AnswerForm }

/**
 * Renders what the workers of an item agree on, question by question: the majority's answer and the estimated true one. Nothing before
 * two answers to a question are compared.
 */
export function ItemAgreement({ batchId, item, form }: Props) {
  const { data } = useQuery({
    ...queryOf(batchAgreement, { params: { id: batchId }, query: { item: String(item) } }),
    staleTime: 0,
  })
  const compared = data?.[0]?.questions.filter(({ answers }) => answers > 1) ?? []
  if (compared.length === 0) return null
  const labelOf = (name: string) => form.fields.find((field) => field.name === name)?.label ?? name
  return (
    <section aria-label={t`Agreed result`} className="rounded-control bg-canvas p-4">
      <h3 className="text-base">{t`Agreed result`}</h3>
      <dl className="mt-2 space-y-2">
        {compared.map((question) => (
          <div key={question.name}>
            <dt className="text-xs wrap-anywhere text-dim">{labelOf(question.name)}</dt>
            <dd className="wrap-anywhere">{majorityText(question)}</dd>
            <dd className="wrap-anywhere text-dim">{estimateText(question)}</dd>
          </div>
        ))}
      </dl>
    </section>
  )
}

/** Several options can be chosen, or none of them. */
const textOf = (chosen: string | string[]) => [chosen].flat().join(', ') || '–'

function majorityText({ majority, share, answers }: QuestionAgreement): string {
  if (majority === null) return t`No majority`
  const percent = formatPercent(percentOf(share, 1))
  return t`${{ answer: textOf(majority) }}: ${percent} of ${{ count: formatNumber(answers) }} answers`
}

function estimateText({ estimate, probability }: QuestionAgreement): string {
  if (estimate === null) return t`Estimate: undecided`
  return t`Estimate: ${{ answer: textOf(estimate) }}, ${{ percent: formatPercent(percentOf(probability, 1)) }} probable`
}
