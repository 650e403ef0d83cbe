import type { ReactNode } from 'react'

/** Renders one value of a record as a definition. */
export function RecordLine({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt className="text-xs text-dim">{name}</dt>
      <dd className="font-nav">{children}</dd>
    </div>
  )
}
