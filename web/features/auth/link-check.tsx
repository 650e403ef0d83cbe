import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { checkLink, type LinkPurpose } from '#contract/one-time-links.ts'
import { call } from '#web/lib/api.ts'
import { queryKeyOf } from '#web/lib/queries.ts'
import { Skeleton } from '#web/ui/skeleton.tsx'

type Props = {
  purpose: LinkPurpose
  token: string
  /** What to do when the link was used or has expired. */
  fallback: ReactNode
  children: ReactNode
}

/** Renders its children when a one-time link can still be used, and otherwise `fallback`, before anything is typed. */
export function LinkCheck({ purpose, token, fallback, children }: Props) {
  const body = { purpose, token }
  const { data, isPending } = useQuery({
    queryKey: queryKeyOf(checkLink, { body }),
    queryFn: ({ signal }) => call(checkLink, { body }, { signal }),
    // Not asked again after the link was used on this page.
    staleTime: Number.POSITIVE_INFINITY,
  })
  if (isPending) {
    return (
      <div role="status" aria-label={t`Checking the link`} className="card p-6">
        <Skeleton className="delayed-fade-in h-24" />
      </div>
    )
  }
  // When the link cannot be checked, the form is shown and the server decides.
  return data?.usable === false ? fallback : children
}

/** Renders that a link was used or has expired, with the next step. */
export function UsedLink({ children, action }: { children: ReactNode; action: ReactNode }) {
  return (
    <div role="alert" className="card space-y-4 p-6">
      <h2 className="text-lg">{t`This link no longer works`}</h2>
      <p>{children}</p>
      {action}
    </div>
  )
}
