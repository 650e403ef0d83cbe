import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { itemOfSubmission } from '#contract/items.ts'
import { ItemPictures } from '#web/features/projects/item-pictures.tsx'
import { formatNumber } from '#web/lib/format.ts'
import { queryOf } from '#web/lib/queries.ts'
import { UserText } from '#web/ui/user-text.tsx'
import { AnswerList } from './answer-list.tsx'

type Props = {
  submissionId: string
  number: number
  /** The text form of the answers, which is shown until the item is loaded. */
  text: string
}

/** Renders the work on an item of a batch: the item, and the answers question by question. */
export function SubmittedItem({ submissionId, number, text }: Props) {
  const { data: item } = useQuery(queryOf(itemOfSubmission, { params: { id: submissionId } }))
  return (
    <section
      aria-label={t`Item ${{ number: formatNumber(number) }}`}
      className="mt-4 space-y-4 rounded-control bg-canvas px-4 py-3 text-sm"
    >
      <h3 className="text-base">{t`Item ${{ number: formatNumber(number) }}`}</h3>
      {item === undefined ? (
        <UserText>{text}</UserText>
      ) : (
        <>
          {item.input === null ? <UserText>{item.instructions}</UserText> : <FileRow input={item.input} />}
          <ItemPictures pictures={item.pictures} />
          <div className="border-t border-line pt-3">
            <AnswerList form={item.form} answers={item.answers} />
          </div>
        </>
      )}
    </section>
  )
}

/** Renders a row of the file by its columns. */
export function FileRow({ input }: { input: Readonly<Record<string, string>> }) {
  return (
    <dl className="space-y-2" aria-label={t`Row of the file`}>
      {Object.entries(input).map(([column, value]) => (
        <div key={column}>
          <dt className="text-xs wrap-anywhere text-dim">{column}</dt>
          <dd className="wrap-anywhere">{value}</dd>
        </div>
      ))}
    </dl>
  )
}
