import { t } from '@lingui/core/macro'
import { onlineManager } from '@tanstack/react-query'
import { useSyncExternalStore } from 'react'

/** Renders a placeholder for content that is loading. */
export function Skeleton({ className = '' }: { className?: string }) {
  return <div className={`animate-pulse rounded-control bg-line motion-reduce:animate-none ${className}`} />
}

/** Renders the skeleton of a list. */
export function ListSkeleton({ rows = 4 }: { rows?: number }) {
  return (
    <Loading>
      <div className="card divide-y divide-line">
        {Array.from({ length: rows }, (_, row) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the rows are all alike
          <div key={row} className="flex items-center gap-4 p-5">
            <Skeleton className="size-11 shrink-0" />
            <div className="flex-1 space-y-2">
              <Skeleton className="h-4 w-1/2" />
              <Skeleton className="h-3 w-3/4" />
            </div>
            <Skeleton className="h-5 w-16" />
          </div>
        ))}
      </div>
    </Loading>
  )
}

/** Renders the skeleton of a grid of cards. */
export function GridSkeleton({ cards, height = 'h-24' }: { cards: number; height?: string }) {
  return (
    <Loading>
      <div className="grid gap-4 sm:grid-cols-2 lg:grid-cols-3">
        {Array.from({ length: cards }, (_, card) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the cards are all alike
          <Skeleton key={card} className={height} />
        ))}
      </div>
    </Loading>
  )
}

/** Renders the skeleton of a whole screen. */
export function ScreenSkeleton() {
  return (
    <Loading>
      <Skeleton className="mb-2 h-8 w-56" />
      <Skeleton className="mb-8 h-4 w-72" />
      <ListSkeleton />
    </Loading>
  )
}

/** Skeletons appear only when loading takes longer than 300 ms. */
function Loading({ children }: { children: React.ReactNode }) {
  return (
    <OnlineOnly>
      <div className="delayed-fade-in" role="status" aria-label={t`Loading`}>
        {children}
      </div>
    </OnlineOnly>
  )
}

/** Renders what is shown while something loads. Without a network, a notice is in its place. */
export function OnlineOnly({ children }: { children: React.ReactNode }) {
  const isOnline = useSyncExternalStore(
    (onChange) => onlineManager.subscribe(onChange),
    () => onlineManager.isOnline(),
    () => true,
  )
  if (isOnline) return children
  return (
    <div role="status" className="card px-6 py-14 text-center">
      <h2 className="text-lg">{t`There is no connection`}</h2>
      <p className="mt-1 text-dim">{t`This loads when you are back online.`}</p>
    </div>
  )
}
