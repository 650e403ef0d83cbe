import type { ReactNode } from 'react'

export const percentOf = (part: number, whole: number) => Math.round((100 * part) / whole)

/** Renders one value of a record as a definition. */
export function RecordLine({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt className="text-xs text-dim">{name}</dt>
      <dd className="font-nav">{children}</dd>
    </div>
  )
}
