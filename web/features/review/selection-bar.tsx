import { t } from '@lingui/core/macro'
import { useEffect, useRef } from 'react'
import type { Submission } from '#contract/submissions.ts'
import { formatCoins, formatNumber } from '#web/lib/format.ts'
import { PlainButton } from '#web/ui/button.tsx'
import { DECISION_KINDS, DECISIONS, type DecisionKind, sumOf } from './decisions.tsx'
import { workOf } from './rows.ts'
import type { Selection } from './use-selection.ts'

type Props = {
  undecided: readonly Submission[]
  selection: Selection
  choose: (kind: DecisionKind) => void
  /** Keeps the bar in view while the page is scrolled. */
  isSticky: boolean
}

/** Renders how much there is to review, or how much is selected with what can be decided for all of it. */
export function SelectionBar({ undecided, selection, choose, isSticky }: Props) {
  const { selected } = selection
  const shown = selected.length > 0 ? selected : undecided
  const count = formatNumber(shown.length)
  const isPartial = selected.length > 0 && selected.length < undecided.length
  const box = useRef<HTMLInputElement>(null)
  useEffect(() => {
    if (box.current) box.current.indeterminate = isPartial
  }, [isPartial])
  return (
    <div
      className={`flex min-h-15 flex-wrap items-center gap-x-2 gap-y-1 border-b border-line py-1.5 pr-3 pl-2 ${
        isSticky ? 'sticky top-[68px] z-2 rounded-t-card bg-surface' : ''
      }`}
    >
      <label className="grid size-11 shrink-0 cursor-pointer place-items-center">
        <input
          ref={box}
          type="checkbox"
          className="size-4.5 accent-(--mantine-primary-color-filled)"
          aria-label={t`Select all`}
          checked={selected.length > 0 && !isPartial}
          disabled={undecided.length === 0}
          onChange={() => (selected.length > 0 ? selection.clear() : selection.all())}
        />
      </label>
      <p className="min-w-0 flex-1 basis-24 text-sm wrap-normal">
        <span className="font-number">
          {selected.length > 0 ? t`${count} selected` : t`${count} to review`}
        </span>
        <span className="text-dim"> · {formatCoins(sumOf(shown.map(workOf)))}</span>
      </p>
      {selected.length > 0 &&
        DECISION_KINDS.map((kind) => {
          const { direct } = DECISIONS[kind]
          return (
            direct && (
              <PlainButton key={kind} onClick={() => choose(kind)}>
                {direct.button(selected.length)}
              </PlainButton>
            )
          )
        })}
    </div>
  )
}
