import { t } from '@lingui/core/macro'
import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Answers } from '#contract/answer-form.ts'
import { batchPreview } from '#contract/batches.ts'
import { AnswerFields } from '#web/features/projects/answer-fields.tsx'
import { ItemView } from '#web/features/projects/item-view.tsx'
import { formatNumber } from '#web/lib/format.ts'
import { queryOf } from '#web/lib/queries.ts'
import { QueryState } from '#web/ui/query-state.tsx'
import { ListSkeleton } from '#web/ui/skeleton.tsx'

/** Renders the first items of a checked file as a worker sees them. */
export function SampleItems({ batchId }: { batchId: string }) {
  const query = useQuery(queryOf(batchPreview, { params: { id: batchId } }))
  const [place, setPlace] = useState(0)
  const [answers, setAnswers] = useState<Answers>({})
  const item = query.data?.[place]
  if (query.data?.length === 0) return null
  if (query.data === undefined || item === undefined) {
    return <QueryState query={query} skeleton={<ListSkeleton rows={2} />} />
  }
  const count = query.data.length
  const show = (next: number) => {
    setPlace(next)
    setAnswers({})
  }
  return (
    <section aria-label={t`Preview`} className="card space-y-5 p-5 sm:p-6">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <h2 className="text-lg">{t`As a worker sees it`}</h2>
        <span className="flex flex-wrap items-center gap-2 text-sm">
          <span aria-live="polite">
            {t`Item ${{ number: formatNumber(place + 1) }} of the first ${{ count: formatNumber(count) }}`}
          </span>
          <Button
            size="xs"
            variant="default"
            disabled={place === 0}
            onClick={() => show(place - 1)}
          >{t`Previous`}</Button>
          <Button
            size="xs"
            variant="default"
            disabled={place + 1 === count}
            onClick={() => show(place + 1)}
          >{t`Next`}</Button>
        </span>
      </div>
      <ItemView item={item} />
      <AnswerFields form={item.form} answers={answers} onChange={setAnswers} />
    </section>
  )
}
