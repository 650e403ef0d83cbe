import { t } from '@lingui/core/macro'
import { formatNumber } from '#web/lib/format.ts'
import { StatusBadge } from '#web/ui/status-badge.tsx'

type Props = {
  /** The number of free slots. */
  slotsLeft: number
  slots: number
  closed: boolean
  /** Shows a progress bar of the taken slots. */
  bar?: boolean
}

/** Renders the free slots of a task: "12 of 40 left", "Filled" or "Closed". */
export function SlotsLeft({ slotsLeft, slots, closed, bar = false }: Props) {
  const taken = slots === 0 ? 100 : ((slots - slotsLeft) / slots) * 100
  return (
    <span className={bar ? 'inline-block min-w-24' : 'inline-block'}>
      {closed ? (
        <StatusBadge tone="neutral">{t`Closed`}</StatusBadge>
      ) : slotsLeft === 0 ? (
        <StatusBadge tone="neutral">{t`Filled`}</StatusBadge>
      ) : (
        <StatusBadge tone="success">
          <span className="tabular-nums">{t`${{ left: formatNumber(slotsLeft) }} of ${{ all: formatNumber(slots) }} left`}</span>
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
