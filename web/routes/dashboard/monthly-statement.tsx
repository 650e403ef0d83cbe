import { plural, t } from '@lingui/core/macro'
import { useSuspenseQuery } from '@tanstack/react-query'
import { Link, useParams } from 'react-router'
import {
  monthlyStatement,
  monthlyStatementFile,
  type MonthlyStatement as Statement,
} from '#contract/monthly-statements.ts'
import type { ReceiptSummary } from '#contract/receipts.ts'
import { CoinAmount } from '#web/features/coins/coin-amount.tsx'
import { RECEIPT_TITLES } from '#web/features/receipts/receipt-titles.ts'
import { SellerAddress } from '#web/features/receipts/seller-address.tsx'
import { isMonth, monthAfter, useCurrentMonth } from '#web/features/statement/months.ts'
import { StatementList } from '#web/features/statement/statement-list.tsx'
import { download } from '#web/lib/api.ts'
import { formatDollars, formatNumber } from '#web/lib/format.ts'
import { formatDateTime, formatMonth } from '#web/lib/format-time.ts'
import { queryOf } from '#web/lib/queries.ts'
import { useUserData } from '#web/lib/session.tsx'
import { LinkButton } from '#web/ui/button.tsx'
import { DownloadButton } from '#web/ui/download-button.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { Screen } from '#web/ui/screen.tsx'
import { StatList, StatRow } from '#web/ui/stat-list.tsx'

/** Renders a month of the user's statement: balances, totals, receipts and transactions. */
export default function MonthlyStatement() {
  const { month = '' } = useParams()
  const currentMonth = useCurrentMonth()
  if (!isMonth(month)) {
    return (
      <Screen title={t`Monthly Statement`}>
        <EmptyState
          title={t`No such month`}
          action={<LinkButton to={`/dashboard/statement/${currentMonth}`}>{t`This month`}</LinkButton>}
        >
          {t`There are statements for every month.`}
        </EmptyState>
      </Screen>
    )
  }
  return <MonthOfStatement month={month} />
}

function MonthOfStatement({ month }: { month: string }) {
  const { email } = useUserData()
  const { data } = useSuspenseQuery(queryOf(monthlyStatement, { params: { email, month } }))
  const { transfers, lines, receipts } = data
  return (
    <Screen
      title={t`Statement for ${{ month: formatMonth(month) }}`}
      action={
        <div className="flex flex-wrap gap-3">
          <DownloadFile email={email} month={month} format="pdf" />
          <DownloadFile email={email} month={month} format="csv" />
        </div>
      }
    >
      <Months month={month} />
      <div className="-mt-4 mb-6">
        <SellerAddress seller={data.seller} tax={data.seller.tax} />
      </div>
      <div className="space-y-8">
        <div className="grid items-start gap-5 @2xl:grid-cols-2">
          <Totals statement={data} />
          {receipts.length > 0 && <Receipts receipts={receipts} />}
        </div>
        {lines.length === 0 ? (
          <EmptyState
            title={t`No transactions`}
          >{t`Your coin balance did not change in this month.`}</EmptyState>
        ) : (
          <section aria-labelledby="transactions">
            <h2 id="transactions" className="mb-3 text-lg">
              {t`Transactions`}
            </h2>
            <StatementList lines={lines} />
            {transfers > lines.length && (
              <p className="mt-3 text-sm text-dim">
                {t`The newest ${{ count: formatNumber(lines.length) }} of ${plural(transfers, { one: '# transaction', other: '# transactions' })}. The CSV file has all.`}
              </p>
            )}
          </section>
        )}
      </div>
    </Screen>
  )
}

function Months({ month }: { month: string }) {
  const currentMonth = useCurrentMonth()
  return (
    <nav aria-label={t`Months`} className="-mt-4 mb-4 flex flex-wrap gap-x-6">
      {[monthAfter(month, -1), ...(month < currentMonth ? [monthAfter(month, 1)] : [])].map((other) => (
        <Link
          key={other}
          to={`/dashboard/statement/${other}`}
          className="link inline-flex min-h-11 items-center text-sm"
        >
          {formatMonth(other)}
        </Link>
      ))}
    </nav>
  )
}

function DownloadFile({ email, month, format }: { email: string; month: string; format: 'pdf' | 'csv' }) {
  return (
    <DownloadButton
      label={t`Download ${{ format: format.toUpperCase() }}`}
      fileName={`statement-${month}.${format}`}
      load={() => download(monthlyStatementFile, { params: { email, month, format } })}
      failure={t`Could not download the statement`}
    />
  )
}

function Totals({ statement: { opening, closing, totals } }: { statement: Statement }) {
  return (
    <section aria-labelledby="totals" className="card p-5">
      <h2 id="totals" className="mb-2 text-lg">
        {t`Balance`}
      </h2>
      <StatList>
        <StatRow name={t`Opening balance`}>
          <CoinAmount value={opening} />
        </StatRow>
        {totals.map(({ text, coins, transfers }) => (
          <StatRow key={text} name={`${text} (${formatNumber(transfers)})`}>
            <CoinAmount value={coins} signed />
          </StatRow>
        ))}
        <StatRow name={t`Closing balance`} strong>
          <CoinAmount value={closing} />
        </StatRow>
      </StatList>
    </section>
  )
}

function Receipts({ receipts }: { receipts: ReceiptSummary[] }) {
  return (
    <section aria-labelledby="receipts" className="card p-5">
      <h2 id="receipts" className="mb-2 text-lg">
        {t`Receipts`}
      </h2>
      <StatList>
        {receipts.map(({ _id: id, number, kind, date, total, taxAmount }) => (
          <StatRow
            key={id}
            name={
              <>
                <Link to={`/dashboard/receipts/${id}`} className="link">
                  {RECEIPT_TITLES[kind]} {number}
                </Link>
                <span className="block text-xs">{formatDateTime(date)}</span>
              </>
            }
          >
            {formatDollars(kind === 'refund' ? -total : total)}
            {taxAmount > 0 && (
              <span className="block text-xs text-dim">
                {t`tax included: ${{ amount: formatDollars(kind === 'refund' ? -taxAmount : taxAmount) }}`}
              </span>
            )}
          </StatRow>
        ))}
      </StatList>
    </section>
  )
}
