import { t } from '@lingui/core/macro'
import type { ReactNode } from 'react'
import { CoinAmount } from '#web/features/coins/coin-amount.tsx'
import type { Purchase } from '#web/features/payments/use-purchase.ts'
import { formatPercent } from '#web/lib/dashboard-format.ts'
import { formatCoins, formatDollars } from '#web/lib/format.ts'

type Props = {
  purchase: Purchase
  /** Whether a payment is confirmed after a return from the bank's own page: its coins may be part of the balance already. */
  isReturning: boolean
}

/** Renders the price with the tax that is added to it, and what the purchase changes: the balance, and the debt that its coins repay first. */
export function OrderSummary({ purchase, isReturning }: Props) {
  const { coinPackage, buyer, tax, total } = purchase
  const after = purchase.credit ?? (isReturning ? null : forecast(purchase))
  return (
    <section aria-label={t`Your order`} className="card p-5 sm:p-6">
      <h2 className="text-base">{t`Your order`}</h2>
      <dl className="mt-3 space-y-2.5 text-sm">
        <OrderRow name={t`Coins`}>
          <CoinAmount value={coinPackage.coins} />
        </OrderRow>
        {after !== null && <BalanceRows after={after} />}
        {tax !== null && (
          <>
            <OrderRow name={t`Price`}>{formatDollars(coinPackage.price)}</OrderRow>
            <OrderRow name={`${tax.name} ${formatPercent(tax.percent)}`}>
              {formatDollars(tax.amount)}
            </OrderRow>
          </>
        )}
        <div className="flex items-baseline justify-between gap-3 border-t border-line pt-2.5">
          <dt className="font-nav">{t`You pay`}</dt>
          <dd className="text-lg font-number tabular-nums">{formatDollars(total)}</dd>
        </div>
      </dl>
      {buyer.debt > 0 && (
        <p className="mt-3 text-xs text-dim">
          {t`You owe ${{ coins: formatCoins(buyer.debt) }}: a card payment was refunded or disputed after its coins were spent. Coins that you receive repay this first.`}
        </p>
      )}
    </section>
  )
}

function BalanceRows({ after: { repaid, coin, debt } }: { after: ReturnType<typeof forecast> }) {
  return (
    <>
      {repaid > 0 && (
        <OrderRow name={t`Repays what you owe`}>
          <CoinAmount value={-repaid} />
        </OrderRow>
      )}
      <OrderRow name={t`Balance after purchase`}>
        <CoinAmount value={coin} />
      </OrderRow>
      {debt > 0 && (
        <OrderRow name={t`Still owed after purchase`}>
          <CoinAmount value={debt} />
        </OrderRow>
      )}
    </>
  )
}

/** Returns the amounts that the server will book when nothing else changes the balance. */
function forecast({ coinPackage, buyer }: Purchase) {
  const repaid = Math.min(buyer.debt, coinPackage.coins)
  return { repaid, coin: buyer.coin + coinPackage.coins - repaid, debt: buyer.debt - repaid }
}

function OrderRow({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-3">
      <dt className="flex-1 basis-28 text-dim">{name}</dt>
      <dd className="ml-auto">{children}</dd>
    </div>
  )
}
