import { t } from '@lingui/core/macro'
import { useEffect, useState } from 'react'
import { useNavigate } from 'react-router'
import type { Package } from '#contract/product.ts'
import { packages } from '#web/content/en.ts'
import { CoinAmount } from '#web/features/coins/coin-amount.tsx'
import { useReturnToTask } from '#web/features/payments/return-to-task.ts'
import { useAddedTax, usePackages } from '#web/features/site/site.ts'
import { formatCoinPrice, formatCoins, formatDollars } from '#web/lib/format.ts'
import { formatDecimal } from '#web/lib/format-decimal.ts'
import { useSession } from '#web/lib/session.tsx'
import { PlainButton } from '#web/ui/button.tsx'
import { confirm, showMessage } from '#web/ui/dialogs.tsx'

/** Renders the coin packages. Only a Buyer can proceed to the payment (docs/specification/screens.md). */
export function PackageGrid() {
  const { user, userData, loading, refetchUser } = useSession()
  const navigate = useNavigate()
  const returnTo = useReturnToTask()
  const onSale = usePackages()
  const tax = useAddedTax()
  const lowestPrice = Math.min(...onSale.map(priceOfCoin))

  const [chosen, setChosen] = useState<Package | null>(null)
  // Until the session is known, the choice waits.
  useEffect(() => {
    if (loading || chosen === null) return
    setChosen(null)
    void buy(chosen)
  })

  const buy = async (coinPackage: Package) => {
    // After an error the record is unknown, and the user may be a Buyer.
    const record = userData === undefined ? await refetchUser() : userData
    if (record === undefined) {
      const text = t`Your account could not be loaded. Check your connection and try again.`
      return showMessage({ title: t`Something went wrong!`, text, tone: 'error' })
    }
    if (record?.role === 'Buyer') {
      await navigate(`/dashboard/purchase-coin/payment/${coinPackage.price}`, {
        state: { ...coinPackage, ...(returnTo && { returnTo }) },
      })
      return
    }
    const { title, signedOut, unregistered, otherRole } = packages.buyerRequired
    if (record) return showMessage({ title, text: otherRole, tone: 'error' })
    // The registration completes the profile of an identity without a record.
    const [text, confirmLabel] = user ? [unregistered, t`Complete profile`] : [signedOut, t`Register`]
    if (await confirm({ title, text, confirmLabel, cancelLabel: t`Not now` })) await navigate('/sign-up')
  }

  return (
    <div className="@container">
      <ul className="grid grid-cols-1 gap-4 @xl:grid-cols-2 @4xl:grid-cols-4">
        {onSale.map((coinPackage) => (
          <PackageCard
            key={coinPackage.price}
            coinPackage={coinPackage}
            isBestValue={priceOfCoin(coinPackage) === lowestPrice}
            isWaiting={loading && coinPackage.price === chosen?.price}
            buy={() => setChosen(coinPackage)}
          />
        ))}
      </ul>
      {tax !== null && (
        <p className="mt-3 text-sm text-dim">
          {t`Prices exclude ${{ tax: tax.name }}. ${{ percent: formatDecimal(tax.percent) }}% is added at checkout.`}
        </p>
      )}
    </div>
  )
}

const priceOfCoin = ({ coins, price }: Package) => price / coins

type CardProps = { coinPackage: Package; isBestValue: boolean; isWaiting: boolean; buy: () => void }

function PackageCard({ coinPackage, isBestValue, isWaiting, buy }: CardProps) {
  const isPopular = coinPackage.coins === packages.popular
  return (
    <li
      className={`card flex flex-col items-start p-6 ${isPopular ? 'border-2 border-fill p-[calc(1.5rem-1px)] shadow-lift' : ''}`}
    >
      <p
        className={
          isPopular ? 'rounded-full bg-soft px-2.5 text-sm font-number text-on-soft' : 'text-sm text-dim'
        }
      >
        {packages.notes[coinPackage.coins] ?? (isBestValue ? packages.bestValue : '\u00a0')}
      </p>
      <CoinAmount value={coinPackage.coins} className="mt-2 text-title" />
      <p className="mt-1 mb-5">
        <span className="text-lg font-number">{formatDollars(coinPackage.price)}</span>{' '}
        <span className="text-sm text-dim">· {formatCoinPrice(priceOfCoin(coinPackage))}</span>
      </p>
      <PlainButton
        className="mt-auto w-full"
        variant={isPopular ? 'filled' : 'default'}
        busy={isWaiting}
        onClick={buy}
      >
        {t`Buy ${{ coins: formatCoins(coinPackage.coins) }}`}
      </PlainButton>
    </li>
  )
}
