import { useSuspenseQuery } from '@tanstack/react-query'
import { operatorSettings, type SettingName, type SettingValue } from '#contract/operator-settings.ts'
import { marginOf, type PackageMargin } from '#contract/package-margin.ts'
import { queryOf } from '#web/lib/queries.ts'

export type MarginOfPackage = PackageMargin & { coins: number; priceCents: number }

/** Returns the packages, the card fees, the payout rate, the limits of payouts and the tax that are in force. For Admins. */
export function usePrices() {
  const { data } = useSuspenseQuery(queryOf(operatorSettings, {}))
  const current = <Name extends SettingName>(name: Name) =>
    data.find((setting) => setting.name === name)?.value as SettingValue<Name>
  return {
    ...current('packages'),
    ...current('withdrawal_rate'),
    ...current('payout_limits'),
    ...current('seller'),
  }
}

/** Returns what each coin package brings in and pays out at the operator's prices, smallest first. For Admins. */
export function usePackageMargins(): MarginOfPackage[] {
  const prices = usePrices()
  return prices.packages
    .map((offered) => ({ ...offered, ...marginOf(offered, prices) }))
    .toSorted((a, b) => a.coins - b.coins)
}
