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
}

/** Renders how much there is to review, or how much is selected with what can be decided for all of it. */
export function SelectionBar({ undecided, selection, choose }: Props) {
  const { selected } = selection
  const shown = selected.length > 0 ? selected : undecided
  const isPartial = selected.length > 0 && selected.length < undecided.length
  const box = useRef<HTMLInputElement>(null)
  useEffect(() => {
    if (box.current) box.current.indeterminate = isPartial
  }, [isPartial])
  return (
    <div className="flex min-h-15 flex-wrap items-center gap-x-2 gap-y-1 border-b border-line py-1.5 pr-3 pl-2 max-lg:sticky max-lg:top-[68px] max-lg:z-2 max-lg:rounded-t-card max-lg:bg-surface">
      <label className="grid size-11 shrink-0 cursor-pointer place-items-center">
        <input
          ref={box}
          type="checkbox"
          className="size-4.5 accent-(--mantine-primary-color-filled)"
          aria-label="Select all"
          checked={selected.length > 0 && !isPartial}
          disabled={undecided.length === 0}
          onChange={() => (selected.length > 0 ? selection.clear() : selection.all())}
        />
      </label>
      <p className="min-w-0 flex-1 basis-24 text-sm wrap-normal">
        <span className="font-number">
          {formatNumber(shown.length)} {selected.length > 0 ? 'selected' : 'to review'}
        </span>
        <span className="text-dim"> · {formatCoins(sumOf(shown.map(workOf)))}</span>
      </p>
      {selected.length > 0 &&
        DECISION_KINDS.filter((kind) => DECISIONS[kind].create).map((kind) => (
          <PlainButton key={kind} onClick={() => choose(kind)}>
            {DECISIONS[kind].label} {formatNumber(selected.length)}
          </PlainButton>
        ))}
    </div>
  )
}
