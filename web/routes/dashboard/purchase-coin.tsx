import { t } from '@lingui/core/macro'
import { PackageGrid } from '#web/features/payments/package-grid.tsx'
import { formatCoins } from '#web/lib/format.ts'
import { useUserData } from '#web/lib/session.tsx'
import { Screen } from '#web/ui/screen.tsx'

/** Renders the coin packages. Users of other roles see a notice when they choose one. */
export default function PurchaseCoin() {
  const { coin, debt } = useUserData()
  const coins = formatCoins(coin)
  const subtitle =
    debt > 0
      ? t`You have ${coins}. Coins never expire. You owe ${{ owed: formatCoins(debt) }}, which the coins you buy repay first.`
      : t`You have ${coins}. Coins never expire.`
  return (
    <Screen title={t`Purchase Coin`} subtitle={subtitle}>
      <PackageGrid />
    </Screen>
  )
}
