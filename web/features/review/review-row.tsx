import { t } from '@lingui/core/macro'
import { memo } from 'react'
import type { Submission } from '#contract/submissions.ts'
import { workOf } from '#web/features/batches/work-of.ts'
import { CoinAmount } from '#web/features/coins/coin-amount.tsx'
import { DecisionNotice } from './decision-notice.tsx'
import { type DecisionEntry, isUndecided } from './decision-queue.ts'

export type RowActions = {
  open: (id: string) => void
  toggle: (id: string, extend: boolean) => void
  undo: (id: string) => void
  retry: () => void
}

type Props = {
  submission: Submission
  entry: DecisionEntry | undefined
  isCurrent: boolean
  isSelected: boolean
  actions: RowActions
}

export const rowElementId = (submissionId: string) => `review-row-${submissionId}`

/** Renders a submission in the list: its worker, task and the beginning of the work, or the state of its decision. */
export const ReviewRow = memo(function ReviewRow({
  submission,
  entry,
  isCurrent,
  isSelected,
  actions,
}: Props) {
  const { _id, worker_name, task_title, payable_amount } = submission
  const noteId = `${rowElementId(_id)}-note`
  return (
    <div
      className={`relative flex gap-1 border-l-3 py-2 pr-4 pl-1 transition-colors ${
        isCurrent ? 'border-fill bg-soft/60' : 'border-transparent hover:bg-canvas'
      }`}
    >
      <label className="relative z-1 grid size-11 shrink-0 cursor-pointer place-items-center">
        <input
          type="checkbox"
          className="size-4.5 accent-(--mantine-primary-color-filled)"
          aria-label={t`Select work by ${{ worker: worker_name }}`}
          tabIndex={isCurrent ? 0 : -1}
          checked={isSelected}
          disabled={!isUndecided(entry)}
          onChange={(event) => actions.toggle(_id, (event.nativeEvent as MouseEvent).shiftKey)}
        />
      </label>
      <div className="min-w-0 flex-1">
        <div className="flex flex-wrap items-start gap-x-3">
          <button
            id={rowElementId(_id)}
            type="button"
            className="min-w-0 flex-1 basis-36 cursor-pointer text-left leading-snug after:absolute after:inset-0 focus-visible:outline-none focus-visible:after:outline-2 focus-visible:after:-outline-offset-2 focus-visible:after:outline-fill"
            tabIndex={isCurrent ? 0 : -1}
            aria-current={isCurrent}
            aria-describedby={noteId}
            onClick={() => actions.open(_id)}
          >
            <span className="block font-number">{worker_name}</span>
            <span className="line-clamp-2 text-sm text-dim">{task_title}</span>
          </button>
          <CoinAmount value={payable_amount} className="text-sm" />
        </div>
        {entry ? (
          <DecisionNotice id={noteId} entry={entry} undo={actions.undo} retry={actions.retry} />
        ) : (
          <p id={noteId} className="truncate text-sm leading-8 text-dim">
            {workOf(submission)}
          </p>
        )}
      </div>
    </div>
  )
})
