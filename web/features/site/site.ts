import { useQuery } from '@tanstack/react-query'
import { site } from '#contract/site.ts'
import { siteInfo } from '#web/content/en.ts'
import { queryOf } from '#web/lib/queries.ts'

/** Returns the configuration of this installation; undefined until it is loaded. */
export function useSite() {
  return useQuery({ ...queryOf(site, {}), staleTime: Number.POSITIVE_INFINITY }).data
}

/** Returns the name of this marketplace, which the operator can configure. */
export function useSiteName(): string {
  return useSite()?.name ?? siteInfo.name
}
