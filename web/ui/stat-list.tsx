import type { ReactNode } from 'react'

/** Renders a list of labelled values, right-aligned. */
export function StatList({ children }: { children: ReactNode }) {
  return <dl className="divide-y divide-line text-sm">{children}</dl>
}

/** Renders a labelled value in a `StatList`. */
export function StatRow({
  name,
  strong = false,
  children,
}: {
  name: ReactNode
  strong?: boolean
  children: ReactNode
}) {
  return (
    <div className="flex items-center justify-between gap-4 py-2.5">
      <dt className={strong ? 'font-number' : 'text-dim'}>{name}</dt>
      <dd className="max-w-3/5 shrink-0 text-right wrap-normal font-number tabular-nums">{children}</dd>
    </div>
  )
}
