import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useSuspenseInfiniteQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { myWithdrawals, type Withdrawal } from '#contract/withdrawals.ts'
import { CoinAmount } from '#web/features/coins/coin-amount.tsx'
import { WithdrawalStatusBadge } from '#web/features/withdrawals/withdrawal-status.tsx'
import { formatDollars, PAYMENT_SYSTEM_NAMES } from '#web/lib/format.ts'
import { formatDay } from '#web/lib/format-time.ts'
import { infiniteQueryOf } from '#web/lib/queries.ts'
import { CopyableText } from '#web/ui/copy-value.tsx'
import { LoadMore } from '#web/ui/load-more.tsx'
import { type Column, ResponsiveList } from '#web/ui/responsive-list.tsx'

type Props = {
  email: string
  title?: string
  /** Rendered when there are no withdrawals. */
  empty: ReactNode
}

/** Renders the user's withdrawals with their status, newest first. */
export function MyWithdrawals({ email, title, empty }: Props) {
  const query = useSuspenseInfiniteQuery(infiniteQueryOf(myWithdrawals, { params: { email } }, 10))
  const withdrawals = query.data.pages.flatMap((page) => page.reply)
  if (withdrawals.length === 0) return empty
  return (
    <section>
      {title && <h2 className="mb-3 text-lg">{title}</h2>}
      <ResponsiveList
        label={t`Your withdrawals, newest first`}
        rows={withdrawals}
        rowKey={(withdrawal) => withdrawal._id}
        columns={COLUMNS}
        renderCard={(withdrawal) => <WithdrawalCard withdrawal={withdrawal} />}
      />
      <LoadMore query={query} />
    </section>
  )
}

const COLUMNS: Column<Withdrawal>[] = [
  {
    header: t`Requested`,
    cell: ({ formatted }) => <span className="whitespace-nowrap">{formatDay(formatted)}</span>,
  },
  {
    header: t`To`,
    width: 'w-full min-w-48',
    cell: (withdrawal) => (
      <>
        <span className="font-nav">{PAYMENT_SYSTEM_NAMES[withdrawal.payment_system]}</span>{' '}
        <AccountNumber withdrawal={withdrawal} />
        <DeclineReason withdrawal={withdrawal} />
        <PayoutReceipt withdrawal={withdrawal} />
      </>
    ),
  },
  { header: t`Status`, cell: ({ status }) => <WithdrawalStatusBadge status={status} /> },
  {
    header: t`Amount`,
    align: 'right',
    cell: ({ withdrawal_amount }) => (
      <span className="whitespace-nowrap font-number tabular-nums">{formatDollars(withdrawal_amount)}</span>
    ),
  },
  {
    header: t`Coins`,
    align: 'right',
    cell: ({ withdrawalCoin }) => <CoinAmount value={withdrawalCoin} />,
  },
]

function AccountNumber({ withdrawal: { accountNumber, formatted } }: { withdrawal: Withdrawal }) {
  return (
    <span className="text-dim">
      <CopyableText
        value={accountNumber}
        name={t`account of the withdrawal of ${{ day: formatDay(formatted) }}`}
      />
    </span>
  )
}

function DeclineReason({ withdrawal: { reason } }: { withdrawal: Withdrawal }) {
  return reason === '' ? null : <span className="mt-1 block text-dim">{t`Reason: ${reason}`}</span>
}

function PayoutReceipt({ withdrawal: { _id: id, status, formatted } }: { withdrawal: Withdrawal }) {
  if (status !== 'approved') return null
  const day = formatDay(formatted)
  return (
    <Link to={`/dashboard/receipts/${id}`} className="link flex min-h-11 w-fit items-center">
      <Trans>
        Receipt<span className="sr-only"> of the withdrawal of {day}</span>
      </Trans>
    </Link>
  )
}

function WithdrawalCard({ withdrawal }: { withdrawal: Withdrawal }) {
  return (
    <div className="flex items-start justify-between gap-4">
      <div className="min-w-0 text-sm">
        <p className="font-nav">
          {PAYMENT_SYSTEM_NAMES[withdrawal.payment_system]} <AccountNumber withdrawal={withdrawal} />
        </p>
        <DeclineReason withdrawal={withdrawal} />
        <PayoutReceipt withdrawal={withdrawal} />
        <p className="mt-1.5 flex flex-wrap items-center gap-x-3 gap-y-1 text-dim">
          <WithdrawalStatusBadge status={withdrawal.status} />
          {formatDay(withdrawal.formatted)}
        </p>
      </div>
      <p className="shrink-0 text-right">
        <span className="block font-number tabular-nums">{formatDollars(withdrawal.withdrawal_amount)}</span>
        <CoinAmount value={withdrawal.withdrawalCoin} className="text-sm" />
      </p>
    </div>
  )
}
