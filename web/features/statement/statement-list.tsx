import { t } from '@lingui/core/macro'
import type { StatementLine } from '#contract/ledger.ts'
import { CoinAmount } from '#web/features/coins/coin-amount.tsx'
import { formatCoins } from '#web/lib/format.ts'
import { formatDateTime } from '#web/lib/format-time.ts'
import { type Column, ResponsiveList } from '#web/ui/responsive-list.tsx'

/** Renders the lines of a coin statement, with the balance after each. */
export function StatementList({ lines }: { lines: readonly StatementLine[] }) {
  return (
    <ResponsiveList
      label={t`Coin transactions, newest first`}
      rows={lines}
      rowKey={(line) => line._id}
      columns={COLUMNS}
      renderCard={(line) => (
        <div className="flex items-start justify-between gap-4">
          <p className="min-w-0">
            <span className="line-clamp-3">{line.text}</span>
            <span className="block text-xs text-dim">{formatDateTime(line.time)}</span>
          </p>
          <p className="shrink-0 text-right">
            <SignedCoins coins={line.coins} />
            <span className="block text-xs text-dim tabular-nums">
              <span className="sr-only">{t`Balance after:`} </span>
              <CoinAmount value={line.balance} />
            </span>
            <DebtAfter coins={line.debt} />
          </p>
        </div>
      )}
    />
  )
}

const COLUMNS: Column<StatementLine>[] = [
  {
    header: t`Date`,
    cell: (line) => <span className="whitespace-nowrap text-dim">{formatDateTime(line.time)}</span>,
  },
  { header: t`Description`, width: 'w-full', cell: (line) => line.text },
  { header: t`Coins`, align: 'right', cell: (line) => <SignedCoins coins={line.coins} /> },
  {
    header: t`Balance`,
    align: 'right',
    cell: (line) => (
      <>
        <CoinAmount value={line.balance} />
        <DebtAfter coins={line.debt} />
      </>
    ),
  },
]

function DebtAfter({ coins }: { coins: number }) {
  return (
    coins > 0 && (
      <span className="block text-xs whitespace-nowrap text-dim">{t`${{ coins: formatCoins(coins) }} owed`}</span>
    )
  )
}

function SignedCoins({ coins }: { coins: number }) {
  return <CoinAmount value={coins} signed className={coins < 0 ? '' : 'text-brand'} />
}
