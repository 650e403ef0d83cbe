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
    <div className="flex flex-wrap items-center justify-between gap-x-4 py-2.5">
      <dt className={`min-w-min flex-1 basis-28 wrap-normal ${strong ? 'font-number' : 'text-dim'}`}>
        {name}
      </dt>
      <dd className="ml-auto text-right wrap-normal font-number tabular-nums">{children}</dd>
    </div>
  )
}
