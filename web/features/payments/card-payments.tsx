import { t } from '@lingui/core/macro'
import { useSuspenseInfiniteQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { type Payment, paymentHistory } from '#contract/payments.ts'
import { CoinAmount } from '#web/features/coins/coin-amount.tsx'
import { cardLabel, PaymentStatus, refundLabel } from '#web/features/payments/payment-status.tsx'
import { formatDollars } from '#web/lib/format.ts'
import { formatDateTime } from '#web/lib/format-time.ts'
import { infiniteQueryOf } from '#web/lib/queries.ts'
import { CopyableText } from '#web/ui/copy-value.tsx'
import { LoadMore } from '#web/ui/load-more.tsx'
import { type Column, ResponsiveList } from '#web/ui/responsive-list.tsx'

type Props = {
  email: string
  title?: string
  /** Rendered when there are no payments. */
  empty?: ReactNode
}

/** Renders the user's card payments, newest first, each with a link to its receipt. */
export function CardPayments({ email, title, empty = null }: Props) {
  const query = useSuspenseInfiniteQuery(infiniteQueryOf(paymentHistory, { params: { email } }))
  const payments = query.data.pages.flatMap((page) => page.reply)
  if (payments.length === 0) return empty
  return (
    <section>
      {title && <h2 className="mb-3 text-lg">{title}</h2>}
      <ResponsiveList
        label={t`Card payments, newest first`}
        rows={payments}
        rowKey={(payment) => payment._id}
        columns={COLUMNS}
        renderCard={(payment) => (
          <>
            <div className="flex items-start justify-between gap-4">
              <CoinAmount value={payment.coins} className="text-lg" />
              <span className="text-lg font-number tabular-nums">{formatDollars(payment.price)}</span>
            </div>
            <p className="mt-1 text-sm text-dim">
              {formatDateTime(payment.date)} · {cardLabel(payment)}
            </p>
            <p className="mt-1 text-xs text-dim">
              <TransactionId payment={payment} />
            </p>
            <RefundNote payment={payment} />
            <div className="mt-2 flex flex-wrap items-center justify-between gap-x-3">
              <PaymentStatus payment={payment} />
              <ReceiptLink payment={payment} />
            </div>
          </>
        )}
      />
      <LoadMore query={query} />
    </section>
  )
}

const COLUMNS: Column<Payment>[] = [
  {
    header: t`Payment`,
    width: 'w-full',
    cell: (payment) => (
      <>
        <span className="flex flex-wrap gap-x-3">
          <span className="whitespace-nowrap">{formatDateTime(payment.date)}</span>
          <span className="whitespace-nowrap text-dim">{cardLabel(payment)}</span>
        </span>
        <span className="block text-xs text-dim">
          <TransactionId payment={payment} />
        </span>
      </>
    ),
  },
  { header: t`Coins`, align: 'right', cell: (payment) => <CoinAmount value={payment.coins} /> },
  {
    header: t`Price`,
    align: 'right',
    cell: (payment) => <span className="font-number tabular-nums">{formatDollars(payment.price)}</span>,
  },
  {
    header: t`Status`,
    width: 'min-w-44',
    cell: (payment) => (
      <>
        <PaymentStatus payment={payment} />
        <RefundNote payment={payment} />
      </>
    ),
  },
  { header: t`Receipt`, align: 'right', cell: (payment) => <ReceiptLink payment={payment} /> },
]

function TransactionId({ payment }: { payment: Payment }) {
  return <CopyableText value={payment.transactionId} name={t`transaction ID`} />
}

function RefundNote({ payment }: { payment: Payment }) {
  const label = refundLabel(payment)
  return label === null ? null : <p className="mt-1 text-xs text-dim">{label}</p>
}

function ReceiptLink({ payment }: { payment: Payment }) {
  return (
    <Link
      to={`/dashboard/paymenthistory/${payment.transactionId}`}
      className="link inline-flex min-h-11 items-center whitespace-nowrap"
    >
      {t`Receipt`}
      <span className="sr-only"> {payment.receipt}</span>
    </Link>
  )
}
