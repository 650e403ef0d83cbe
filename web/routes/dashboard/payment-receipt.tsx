import '#web/features/payments/receipt.css'
import { Button } from '@mantine/core'
import { useSuspenseQuery } from '@tanstack/react-query'
import { Link, useParams } from 'react-router'
import { paymentReceipt } from '#contract/payments.ts'
import { cardLabel, PaymentStatus, refundLabel } from '#web/features/payments/payment-status.tsx'
import { Brand } from '#web/features/site/brand.tsx'
import { formatCoins, formatDateTime, formatDollars } from '#web/lib/format.ts'
import { queryOf } from '#web/lib/queries.ts'
import { useUserData } from '#web/lib/session.tsx'
import { IconArrowLeft, IconReceipt } from '#web/ui/icons.ts'
import { Screen } from '#web/ui/screen.tsx'

/** Renders the printable receipt of a card payment. */
export default function PaymentReceipt() {
  const { transactionId = '' } = useParams()
  const { role } = useUserData()
  const { data: payment } = useSuspenseQuery(queryOf(paymentReceipt, { params: { transactionId } }))
  const refund = refundLabel(payment)
  const back = role === 'Admin' ? '/dashboard/payments' : '/dashboard/paymenthistory'
  return (
    <Screen
      title={`Receipt ${payment.receipt}`}
      width="narrow"
      action={
        <Button
          className="print:hidden"
          leftSection={<IconReceipt size={18} aria-hidden />}
          onClick={() => window.print()}
        >
          Print
        </Button>
      }
    >
      <Link
        to={back}
        className="link -mt-4 mb-2 inline-flex min-h-11 items-center gap-1.5 text-sm print:hidden"
      >
        <IconArrowLeft size={18} aria-hidden /> Payments
      </Link>
      <article aria-label="Receipt" className="card p-6 sm:p-8">
        <div className="flex flex-wrap items-start justify-between gap-4 border-b border-line pb-5">
          <Brand />
          <PaymentStatus payment={payment} />
        </div>
        <p className="mt-6 text-section font-heading tabular-nums">{formatDollars(payment.price)}</p>
        <p className="text-dim">paid on {formatDateTime(payment.date)}</p>
        <dl className="mt-6 divide-y divide-line text-sm">
          <ReceiptRow name="Paid by">
            {payment.name}
            <span className="block text-dim">{payment.email}</span>
          </ReceiptRow>
          <ReceiptRow name="Item">{formatCoins(payment.coins)}</ReceiptRow>
          <ReceiptRow name="Payment method">{cardLabel(payment)}</ReceiptRow>
          <ReceiptRow name="Transaction">
            <span className="break-all">{payment.transactionId}</span>
          </ReceiptRow>
          {refund && <ReceiptRow name="Refund">{refund}</ReceiptRow>}
        </dl>
        {!payment.real && (
          <p className="mt-6 rounded-control bg-gold px-4 py-3 text-sm text-on-gold">
            Paid in test mode: no real money was charged.
          </p>
        )}
      </article>
    </Screen>
  )
}

function ReceiptRow({ name, children }: { name: string; children: React.ReactNode }) {
  return (
    <div className="flex items-start justify-between gap-6 py-3">
      <dt className="text-dim">{name}</dt>
      <dd className="min-w-0 text-right font-nav break-words">{children}</dd>
    </div>
  )
}
