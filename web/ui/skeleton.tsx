/** Grey shapes where content will stand; they appear only when waiting lasts (300 ms). */
export function Skeleton({ className = '' }: { className?: string }) {
  return <div className={`animate-pulse rounded-control bg-line motion-reduce:animate-none ${className}`} />
}

/** A list that is on its way. */
export function ListSkeleton({ rows = 4 }: { rows?: number }) {
  return (
    <Waiting>
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
    </Waiting>
  )
}

/** A grid of cards that is on its way. */
export function GridSkeleton({ cards = 6, height = 'h-24' }: { cards?: number; height?: string }) {
  return (
    <Waiting>
      <div className="grid gap-4 sm:grid-cols-2 lg:grid-cols-3">
        {Array.from({ length: cards }, (_, card) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the cards are all alike
          <Skeleton key={card} className={height} />
        ))}
      </div>
    </Waiting>
  )
}

/** A whole screen that is on its way. */
export function ScreenSkeleton() {
  return (
    <Waiting>
      <Skeleton className="mb-2 h-8 w-56" />
      <Skeleton className="mb-8 h-4 w-72" />
      <ListSkeleton />
    </Waiting>
  )
}

function Waiting({ children }: { children: React.ReactNode }) {
  return (
    <div className="after-a-moment" role="status" aria-label="Loading">
      {children}
    </div>
  )
}
