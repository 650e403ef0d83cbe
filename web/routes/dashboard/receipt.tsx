import { useSuspenseQuery } from '@tanstack/react-query'
import { useParams } from 'react-router'
import { receipt as receiptEndpoint } from '#contract/receipts.ts'
import { ReceiptActions } from '#web/features/receipts/receipt-actions.tsx'
import { ReceiptArticle } from '#web/features/receipts/receipt-article.tsx'
import { RECEIPT_TITLES } from '#web/features/receipts/receipt-titles.ts'
import { queryOf } from '#web/lib/queries.ts'
import { Screen } from '#web/ui/screen.tsx'

/** Renders a receipt of any kind. The id may be that of its payment or withdrawal. */
export default function Receipt() {
  const { id = '' } = useParams()
  const { data: receipt } = useSuspenseQuery(queryOf(receiptEndpoint, { params: { id } }))
  return (
    <Screen
      title={`${RECEIPT_TITLES[receipt.kind]} ${receipt.number}`}
      width="narrow"
      action={<ReceiptActions receipt={receipt} />}
    >
      <ReceiptArticle receipt={receipt} />
    </Screen>
  )
}
