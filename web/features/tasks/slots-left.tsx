import { formatNumber } from '#web/lib/format.ts'
import { StatusBadge } from '#web/ui/status-badge.tsx'

type Props = {
  /** The slots that nobody holds. */
  left: number
  of: number
  closed: boolean
  /** A bar of the slots taken, below the words. */
  bar?: boolean
}

/** How many workers a task still takes: "12 of 40 left", "Filled", or "Closed". */
export function SlotsLeft({ left, of, closed, bar = false }: Props) {
  const taken = of === 0 ? 100 : ((of - left) / of) * 100
  return (
    <span className={bar ? 'inline-block min-w-24' : 'inline-block'}>
      {closed ? (
        <StatusBadge tone="neutral">Closed</StatusBadge>
      ) : left === 0 ? (
        <StatusBadge tone="neutral">Filled</StatusBadge>
      ) : (
        <StatusBadge tone="success">
          <span className="tabular-nums">
            {formatNumber(left)} of {formatNumber(of)} left
          </span>
        </StatusBadge>
      )}
      {bar && !closed && (
        <span aria-hidden className="mt-2 block h-1 overflow-hidden rounded-full bg-line">
          <span className="block h-full rounded-full bg-fill" style={{ width: `${taken}%` }} />
        </span>
      )}
    </span>
  )
}
