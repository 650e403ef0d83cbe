import type { ReactNode } from 'react'

/** Renders a section as a card, or its `empty` text. */
export function Section({
  title,
  empty,
  children,
}: {
  title: string
  empty?: string | false
  children: ReactNode
}) {
  return (
    <section aria-label={title} className="card min-w-0 p-5">
      <h2 className="mb-2 text-lg">{title}</h2>
      {empty ? <p className="text-sm text-dim">{empty}</p> : children}
    </section>
  )
}
