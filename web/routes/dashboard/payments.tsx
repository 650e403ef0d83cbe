import { plural, t } from '@lingui/core/macro'
import '#web/ui/sections-in-order.css'
import { Trans } from '@lingui/react/macro'
import { Button } from '@mantine/core'
import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import {
  type AdminPayment,
  listPayments,
  PaymentFilter,
  paymentsFile,
  paymentTotals,
} from '#contract/payments.ts'
import { CoinAmount } from '#web/features/coins/coin-amount.tsx'
import { OpenRefunds } from '#web/features/payments/open-refunds.tsx'
import { PaymentStatus, refundLabel } from '#web/features/payments/payment-status.tsx'
import { isRefundable, RefundButton } from '#web/features/payments/refund-button.tsx'
import { useSandboxActions } from '#web/features/payments/sandbox-actions.tsx'
import { UserLink } from '#web/features/users/user-link.tsx'
import { download, type Reply } from '#web/lib/api.ts'
import { formatCoins, formatDollars } from '#web/lib/format.ts'
import { formatDateTime } from '#web/lib/format-time.ts'
import { infiniteQueryOf, keepPreviousRows, queryOf } from '#web/lib/queries.ts'
import { noParams, useSearchParams, withParam } from '#web/lib/search-params.ts'
import { useUserData } from '#web/lib/session.tsx'
import { ActionMenu } from '#web/ui/action-menu.tsx'
import { CopyableText } from '#web/ui/copy-value.tsx'
import { type DataColumn, DataTable } from '#web/ui/data-table.tsx'
import { DayRange } from '#web/ui/day-range.tsx'
import { DownloadButton } from '#web/ui/download-button.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { FilterBar } from '#web/ui/filter-bar.tsx'
import { FilterLinks } from '#web/ui/filter-links.tsx'
import { LoadMore } from '#web/ui/load-more.tsx'
import { QueryState } from '#web/ui/query-state.tsx'
import { Screen } from '#web/ui/screen.tsx'
import { SearchInput, useSearchQuery } from '#web/ui/search-input.tsx'
import { ListSkeleton } from '#web/ui/skeleton.tsx'
import type { ScreenHandle } from './layout.tsx'

export const handle: ScreenHandle = { roles: ['Admin'] }

const STATUS_OPTIONS = [
  { value: '', label: t`All` },
  { value: 'Success', label: t`Success` },
  { value: 'Refunded', label: t`Refunded` },
  { value: 'Disputed', label: t`Disputed` },
]

/** Renders the card payments of all users, for an Admin to search. */
export default function Payments() {
  const [search, setSearch] = useSearchParams()
  const [q, setQuery] = useSearchQuery()
  const parameter = (name: string) => search.get(name) || undefined
  const { shape } = PaymentFilter
  const status = shape.status.safeParse(parameter('status')).data
  const from = shape.from.safeParse(parameter('from')).data
  const to = shape.to.safeParse(parameter('to')).data
  const filter = { q: q || undefined, status, from, to }
  const isFiltered = Object.values(filter).some((value) => value !== undefined)
  const set = (name: string) => (value: string) =>
    setSearch((current) => withParam(current, name, value), { replace: true, preventScrollReset: true })
  const query = useInfiniteQuery({
    ...infiniteQueryOf(listPayments, { query: filter }),
    placeholderData: keepPreviousRows,
  })
  const totals = useQuery({
    ...queryOf(paymentTotals, { query: filter }),
    placeholderData: keepPreviousData,
  }).data
  const payments = query.data?.pages.flatMap((page) => page.reply)

  return (
    <Screen
      title={t`Payments`}
      subtitle={totals === undefined ? t`Coin purchases by card, newest first` : totalsText(totals)}
      action={
        <DownloadButton
          label={t`Download CSV`}
          fileName="payments.csv"
          isDated
          load={() => download(paymentsFile, { query: filter })}
          failure={t`Could not download the payments`}
        />
      }
    >
      <div className="sections-in-order">
        <OpenRefunds />
        <FilterBar
          search={
            <SearchInput label={t`Search by name, email or transaction`} value={q} onChange={setQuery} />
          }
          count={[status, from, to].filter((value) => value !== undefined).length}
        >
          <FilterLinks label={t`Filter by status`} name="status" options={STATUS_OPTIONS} />
          <DayRange from={from} to={to} set={set} />
        </FilterBar>
        {payments === undefined ? (
          <QueryState query={query} skeleton={<ListSkeleton rows={8} />} />
        ) : payments.length === 0 ? (
          <EmptyState
            title={t`No payments found.`}
            action={
              isFiltered && (
                <Button variant="default" onClick={() => setSearch(noParams)}>{t`Show all`}</Button>
              )
            }
          >
            {isFiltered ? t`No payments match your search.` : t`Card payments of buyers appear here.`}
          </EmptyState>
        ) : (
          <>
            <DataTable
              label={t`Card payments, newest first`}
              rows={payments}
              rowKey={(payment) => payment._id}
              columns={COLUMNS}
              renderCard={(payment) => (
                <div className="flex flex-wrap items-start justify-between gap-x-4 gap-y-2">
                  <PayerDetails payment={payment} />
                  <div className="text-right">
                    <span className="block text-lg font-number tabular-nums">
                      {formatDollars(payment.price)}
                    </span>
                    <CoinAmount value={payment.coins} className="text-sm" />
                  </div>
                  <div className="flex w-full flex-wrap items-center justify-between gap-2">
                    <StatusDetails payment={payment} />
                    <Actions payment={payment} />
                  </div>
                </div>
              )}
            />
            <LoadMore query={query} />
          </>
        )}
      </div>
    </Screen>
  )
}

function totalsText({ payments, price, coins, returned }: Reply<typeof paymentTotals>): string {
  const parts = [
    plural(payments, { one: '# payment', other: '# payments' }),
    formatDollars(price),
    formatCoins(coins),
  ]
  if (returned > 0) parts.push(t`${{ amount: formatDollars(returned) }} returned`)
  return parts.join(' · ')
}

const COLUMNS: DataColumn<AdminPayment>[] = [
  { header: t`Buyer`, width: 'w-2/5', cell: (payment) => <PayerDetails payment={payment} /> },
  { header: t`Coins`, align: 'right', cell: (payment) => <CoinAmount value={payment.coins} /> },
  {
    header: t`Price`,
    align: 'right',
    cell: (payment) => <span className="font-number tabular-nums">{formatDollars(payment.price)}</span>,
  },
  { header: t`Status`, width: 'min-w-36', cell: (payment) => <StatusDetails payment={payment} /> },
  { header: t`Actions`, align: 'right', cell: (payment) => <Actions payment={payment} /> },
]

function PayerDetails({ payment }: { payment: AdminPayment }) {
  return (
    <div className="min-w-0 flex-1 basis-48 leading-snug">
      <p>
        <UserLink id={payment.userId} name={payment.name} />
      </p>
      <p className="truncate text-sm text-dim">{payment.email}</p>
      <p className="flex flex-wrap items-center gap-x-3 text-xs text-dim">
        {formatDateTime(payment.date)}
        <CopyableText value={payment.transactionId} name={t`transaction ID`} />
      </p>
    </div>
  )
}

function StatusDetails({ payment }: { payment: AdminPayment }) {
  const refund = refundLabel(payment)
  return (
    <div>
      <PaymentStatus payment={payment} />
      {payment.unclaimed && payment.status === 'Success' && (
        <p className="mt-1 text-xs text-danger">{t`The user was deleted before the payment arrived. Refund it.`}</p>
      )}
      {refund && <p className="mt-1 text-xs text-dim">{refund}</p>}
    </div>
  )
}

/** Renders what an Admin can do with a payment: one action, and the others in a menu when there are several. */
function Actions({ payment }: { payment: AdminPayment }) {
  const { transactionId, name, userId } = payment
  const { _id: viewerId } = useUserData()
  const sandbox = useSandboxActions(payment)
  const receipt = `/dashboard/paymenthistory/${transactionId}`
  const canRefund = isRefundable(payment) && userId !== viewerId
  const isCrowded = canRefund && sandbox.length > 0
  return (
    <span className="inline-flex items-center gap-2 whitespace-nowrap">
      {canRefund && <RefundButton payment={payment} />}
      {!isCrowded && <ReceiptLink payment={payment} to={receipt} />}
      {sandbox.length > 0 && (
        <ActionMenu
          label={t`Actions for the payment of ${name}`}
          actions={isCrowded ? [{ label: t`Receipt`, to: receipt }, ...sandbox] : sandbox}
          size="calc(36px)"
        />
      )}
    </span>
  )
}

function ReceiptLink({ payment: { receipt }, to }: { payment: AdminPayment; to: string }) {
  return (
    <Link to={to} className="link inline-flex min-h-11 items-center">
      <Trans>
        Receipt<span className="sr-only"> {receipt}</span>
      </Trans>
    </Link>
  )
}
