import { PackageGrid } from '#web/features/payments/package-grid.tsx'
import { formatCoins } from '#web/lib/format.ts'
import { useUserData } from '#web/lib/session.tsx'
import { Screen } from '#web/ui/screen.tsx'

/** Renders the coin packages. Users of other roles see a notice when they choose one. */
export default function PurchaseCoin() {
  const { coin, debt } = useUserData()
  const owed = debt > 0 ? ` You owe ${formatCoins(debt)}, which the coins you buy repay first.` : ''
  return (
    <Screen title="Purchase Coin" subtitle={`You have ${formatCoins(coin)}. Coins never expire.${owed}`}>
      <PackageGrid />
    </Screen>
  )
}
