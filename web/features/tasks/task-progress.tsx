import { t } from '@lingui/core/macro'
import { Link } from 'react-router'
import type { TaskProgress as Progress, Task } from '#contract/tasks.ts'
import { timeLeft, useCurrentMinute } from '#web/features/submissions/time-left.ts'
import { formatNumber } from '#web/lib/format.ts'

/** The parts of a task's slots, in the order in which work passes through them. */
const PARTS = [
  { part: 'approved', text: (count: string) => t`${count} approved`, fill: 'bg-fill' },
  { part: 'unsettled', text: (count: string) => t`${count} not final`, fill: 'bg-fill/60' },
  // The link to the review shows this number.
  { part: 'pending', text: null, fill: 'bg-fill/60' },
  { part: 'reserved', text: (count: string) => t`${count} reserved`, fill: 'bg-fill/25' },
] as const

type Props = {
  task: Pick<Task, '_id' | 'task_title' | 'required_workers'>
  progress: Progress | undefined
}

/** Renders how far the work on a task is: a bar of its slots, and the numbers of work in words. */
export function TaskProgress({ task, progress }: Props) {
  const now = useCurrentMinute()
  if (progress === undefined) return <span className="block h-9" />
  const { rejected, pending } = progress
  const facts = [
    ...(progress.held ? [t`On hold`] : []),
    ...PARTS.flatMap(({ part, text }) =>
      text !== null && progress[part] > 0 ? [text(formatNumber(progress[part]))] : [],
    ),
    ...(rejected > 0 ? [t`${{ count: formatNumber(rejected) }} rejected`] : []),
  ]
  const left = progress.reviewBy === null ? null : timeLeft(progress.reviewBy, now)
  return (
    <span className="block text-xs text-dim">
      <span aria-hidden className="mb-1.5 flex h-1.5 overflow-hidden rounded-full bg-line">
        {PARTS.map(({ part, fill }) => (
          <span
            key={part}
            className={fill}
            style={{ width: `${(progress[part] / task.required_workers) * 100}%` }}
          />
        ))}
      </span>
      {pending > 0 && (
        <span className="block">
          <Link to={`/dashboard/task-to-review?task=${task._id}`} className="link font-nav">
            {t`${{ count: formatNumber(pending) }} to review`}
            <span className="sr-only">: {task.task_title}</span>
          </Link>
          {left !== null && `, ${t`first in ${left}`}`}
        </span>
      )}
      {facts.length > 0 ? facts.join(' · ') : pending === 0 && t`No work yet`}
    </span>
  )
}

type SpendingProps = Pick<Props, 'progress'> & { task: Pick<Task, 'payable_amount'>; isStacked?: boolean }

/** Renders what a task has paid to workers so far, and what it still holds in escrow, in one line or two. */
export function TaskSpending({ task, progress, isStacked = false }: SpendingProps) {
  if (progress === undefined) return null
  return (
    <span className="block text-xs whitespace-nowrap text-dim tabular-nums">
      {t`Paid ${{ coins: formatNumber(progress.approved * task.payable_amount) }}`}
      {isStacked ? <br /> : ' · '}
      {t`Escrow ${{ coins: formatNumber(progress.escrow) }}`}
    </span>
  )
}
