import { Link } from 'react-router'
import type { TaskProgress as Progress, Task } from '#contract/tasks.ts'
import { timeLeft, useCurrentMinute } from '#web/features/submissions/time-left.ts'
import { formatNumber } from '#web/lib/format.ts'

/** The parts of a task's slots, in the order in which work passes through them. */
const PARTS = [
  { of: ({ approved }: Progress) => approved, word: 'approved', fill: 'bg-fill' },
  { of: ({ unsettled }: Progress) => unsettled, word: 'unsettled', fill: 'bg-fill/60' },
  { of: ({ pending }: Progress) => pending, word: 'to review', fill: 'bg-fill/60' },
  { of: ({ reserved }: Progress) => reserved, word: 'reserved', fill: 'bg-fill/25' },
]

type Props = { task: Task; progress: Progress | undefined }

/** Renders how far the work on a task is: a bar of its slots, and the numbers of work in words. */
export function TaskProgress({ task, progress }: Props) {
  const now = useCurrentMinute()
  if (progress === undefined) return <span className="block h-9" />
  const words = PARTS.filter(({ word, of }) => word !== 'to review' && of(progress) > 0)
    .map(({ word, of }) => `${formatNumber(of(progress))} ${word}`)
    .concat(progress.rejected > 0 ? `${formatNumber(progress.rejected)} rejected` : [])
  const left = progress.reviewBy === null ? null : timeLeft(progress.reviewBy, now)
  return (
    <span className="block text-xs text-dim">
      <span aria-hidden className="mb-1.5 flex h-1.5 overflow-hidden rounded-full bg-line">
        {PARTS.map(({ word, of, fill }) => (
          <span
            key={word}
            className={fill}
            style={{ width: `${(of(progress) / task.required_workers) * 100}%` }}
          />
        ))}
      </span>
      {progress.pending > 0 && (
        <span className="block">
          <Link to={`/dashboard/task-to-review?task=${task._id}`} className="link font-nav">
            {formatNumber(progress.pending)} to review
            <span className="sr-only">: {task.task_title}</span>
          </Link>
          {left !== null && `, first in ${left}`}
        </span>
      )}
      {words.length > 0 ? words.join(' · ') : progress.pending === 0 && 'No work yet'}
    </span>
  )
}

/** Renders what a task has paid to workers so far, and what it still holds in escrow. */
export function TaskSpending({ task, progress }: Props) {
  if (progress === undefined) return null
  return (
    <span className="block text-xs whitespace-nowrap text-dim tabular-nums">
      Paid {formatNumber(progress.approved * task.payable_amount)}
      <br />
      Escrow {formatNumber(progress.escrow)}
    </span>
  )
}
