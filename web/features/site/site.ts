import { useQuery } from '@tanstack/react-query'
import { CENTS_PER_COIN, PACKAGES, type Package } from '#contract/product.ts'
import { site } from '#contract/site.ts'
import type { AddedTax } from '#contract/tax.ts'
import { pageName } from '#web/lib/meta.ts'
import { queryClient, queryOf } from '#web/lib/queries.ts'

const STALE_MS = 60_000

/** Returns the configuration of this installation; undefined until it is loaded. Also for what is rendered outside of the app. */
export function useSite() {
  return useQuery({ ...queryOf(site, {}), staleTime: STALE_MS }, queryClient).data
}

/** Returns the coin packages on sale, smallest first; the default ones until the configuration is loaded. */
export function usePackages(): Package[] {
  const packages: readonly Package[] = useSite()?.packages ?? PACKAGES
  return packages.toSorted((a, b) => a.coins - b.coins)
}

/** Returns the tax that is added to the prices; null where they include it, there is none, or it is not loaded. */
export function useAddedTax(): AddedTax | null {
  return useSite()?.addedTax ?? null
}

/** Returns the cents that a withdrawn coin pays; the default until the configuration is loaded. */
export function useWithdrawalRate(): number {
  return useSite()?.centsPerCoin ?? CENTS_PER_COIN
}

/** Returns the name of this marketplace, which the operator can configure. */
export function useSiteName(): string {
  return useSite()?.name ?? pageName
}
