import type { ReactNode } from 'react'

/** Returns a share in whole percent: 100 only for all, and 0 only for none. */
export function percentOf(part: number, whole: number): number {
  if (part === 0 || part === whole) return (100 * part) / whole
  return Math.min(99, Math.max(1, Math.round((100 * part) / whole)))
}

/** Renders one value of a record as a definition. */
export function RecordLine({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt className="text-xs text-dim">{name}</dt>
      <dd className="font-nav">{children}</dd>
    </div>
  )
}
