import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { IconChevronRight } from '#web/ui/icons.ts'

type Props = {
  label: string
  /** The value: a number as text, or a CoinAmount. */
  children: ReactNode
  unit?: string
  /** A short explanation of the value. */
  note?: ReactNode
  /** The screen that shows the value in detail. */
  to?: string
}

const COLUMNS = { 3: '@xl:grid-cols-3', 4: '@xl:grid-cols-2 @4xl:grid-cols-4' }

type TilesProps = {
  label: string
  /** The number of columns on wide screens; two on a phone. */
  columns: keyof typeof COLUMNS
  children: ReactNode
}

/** Renders stat tiles in a grid. */
export function StatTiles({ label, columns, children }: TilesProps) {
  return (
    <dl
      aria-label={label}
      className={`grid grid-cols-[repeat(auto-fill,minmax(min(8.25rem,100%),1fr))] gap-3 sm:gap-4 ${COLUMNS[columns]}`}
    >
      {children}
    </dl>
  )
}

/** Renders a labelled value. */
export function StatTile({ label, children, unit, note, to }: Props) {
  return (
    <div className="card relative flex flex-col p-4 sm:p-5">
      <dt className="flex items-center justify-between gap-2 text-sm text-dim">
        {to ? (
          <Link to={to} className="no-underline after:absolute after:inset-0 hover:underline">
            {label}
          </Link>
        ) : (
          label
        )}
        {to && <IconChevronRight size={18} className="shrink-0" aria-hidden />}
      </dt>
      <dd className="mt-1">
        <span className="text-xl font-number tracking-tight tabular-nums sm:text-title">{children}</span>
        {unit && <span className="ml-1.5 text-sm text-dim">{unit}</span>}
        {note && <span className="block text-xs text-dim">{note}</span>}
      </dd>
    </div>
  )
}
