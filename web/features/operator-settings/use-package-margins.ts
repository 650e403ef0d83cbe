import { useSuspenseQuery } from '@tanstack/react-query'
import { operatorSettings, type SettingName, type SettingValue } from '#contract/operator-settings.ts'
import { marginOf, type PackageMargin } from '#contract/package-margin.ts'
import { queryOf } from '#web/lib/queries.ts'

export type MarginOfPackage = PackageMargin & { coins: number; priceCents: number }

/** Returns what each coin package brings in and pays out at the operator's prices, smallest first. For Admins. */
export function usePackageMargins(): MarginOfPackage[] {
  const { data } = useSuspenseQuery(queryOf(operatorSettings, {}))
  const current = <Name extends SettingName>(name: Name) =>
    data.find((setting) => setting.name === name)?.value as SettingValue<Name>
  const { packages, ...fees } = current('packages')
  const rate = current('withdrawal_rate')
  return packages
    .map((offered) => ({ ...offered, ...marginOf(offered, { ...fees, ...rate }) }))
    .toSorted((a, b) => a.coins - b.coins)
}
