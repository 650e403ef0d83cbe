import { isReturnPath } from '#contract/auth.ts'
import type { Config } from '#server/config.ts'

/** Returns the path to open after sign-in: `returnTo` if it is a page of this site, else undefined. */
export function returnPath({ publicUrl }: Config, returnTo: string | null | undefined): string | undefined {
  if (!isReturnPath(returnTo ?? '')) return undefined
  const url = URL.parse(returnTo ?? '', publicUrl)
  if (url === null || url.origin !== publicUrl || url.pathname.startsWith('/api/')) return undefined
  // Checked again after normalisation: `/..//host` is a path of this site, but normalises to another host.
  const path = url.pathname + url.search + url.hash
  return isReturnPath(path) ? path : undefined
}
