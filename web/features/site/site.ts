import { useQuery } from '@tanstack/react-query'
import { site } from '#contract/site.ts'
import { siteInfo } from '#web/content/en.ts'
import { queryOf } from '#web/lib/queries.ts'

/** What is switched on in this installation; undefined until it is known. */
export function useSite() {
  return useQuery({ ...queryOf(site, {}), staleTime: Number.POSITIVE_INFINITY }).data
}

/** The name of this marketplace, which the operator may have changed. */
export function useSiteName(): string {
  return useSite()?.name ?? siteInfo.name
}
