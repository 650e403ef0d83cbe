import { t } from '@lingui/core/macro'
import { useSuspenseQuery } from '@tanstack/react-query'
import { Link, useParams } from 'react-router'
import { paymentReceipt } from '#contract/payments.ts'
import { receipt as receiptEndpoint } from '#contract/receipts.ts'
import { PaymentStatus, refundLabel } from '#web/features/payments/payment-status.tsx'
import { ReceiptActions } from '#web/features/receipts/receipt-actions.tsx'
import { ReceiptArticle, ReceiptRow } from '#web/features/receipts/receipt-article.tsx'
import { queryOf } from '#web/lib/queries.ts'
import { useUserData } from '#web/lib/session.tsx'
import { IconArrowLeft } from '#web/ui/icons.ts'
import { Screen } from '#web/ui/screen.tsx'

/** Renders the printable receipt of a card payment. */
export default function PaymentReceipt() {
  const { transactionId = '' } = useParams()
  const { role } = useUserData()
  const { data: payment } = useSuspenseQuery(queryOf(paymentReceipt, { params: { transactionId } }))
  const { data: receipt } = useSuspenseQuery(queryOf(receiptEndpoint, { params: { id: payment._id } }))
  const refund = refundLabel(payment)
  const back = role === 'Admin' ? '/dashboard/payments' : '/dashboard/paymenthistory'
  return (
    <Screen
      title={t`Receipt ${{ number: receipt.number }}`}
      width="narrow"
      action={<ReceiptActions receipt={receipt} />}
    >
      <Link
        to={back}
        className="link -mt-4 mb-2 inline-flex min-h-11 items-center gap-1.5 text-sm print:hidden"
      >
        <IconArrowLeft size={18} aria-hidden /> {t`Payments`}
      </Link>
      <ReceiptArticle receipt={receipt} status={<PaymentStatus payment={payment} />}>
        {refund && <ReceiptRow name={t`Refund`}>{refund}</ReceiptRow>}
      </ReceiptArticle>
    </Screen>
  )
}
