import { Button } from '@mantine/core'
import type { Submission } from '#contract/submissions.ts'
import { CoinAmount } from '#web/features/coins/coin-amount.tsx'
import { ExpandableText } from '#web/features/submissions/expandable-text.tsx'
import { TaskText } from '#web/features/submissions/task-text.tsx'
import { timeLeft } from '#web/features/submissions/time-left.ts'
import { formatDateTime, formatTimeAgo } from '#web/lib/format.ts'
import { Avatar } from '#web/ui/avatar.tsx'
import { IconCheck, IconClock, IconX } from '#web/ui/icons.ts'

type Props = {
  submission: Submission
  now: number
  busy: boolean
  approve: () => void
  reject: () => void
}

/** Renders a pending submission with its worker and task, and buttons to approve or reject it. */
export function ReviewCard({ submission, now, busy, approve, reject }: Props) {
  const { worker_name, worker_email, task_title, payable_amount, createdAt, reviewBy } = submission
  const left = reviewBy && timeLeft(reviewBy, now)
  return (
    <article className="card flex h-full flex-col p-5 sm:p-6">
      <div className="flex items-start gap-3">
        <Avatar name={worker_name} size={42} />
        <div className="min-w-0 flex-1 leading-snug">
          <h2 className="text-base leading-snug font-number tracking-normal">{task_title}</h2>
          <p className="mt-0.5 text-sm">
            <span className="font-nav">{worker_name}</span>
            <span className="text-dim">
              {' · '}
              <time dateTime={createdAt} title={formatDateTime(createdAt)}>
                {formatTimeAgo(createdAt, now)}
              </time>
            </span>
          </p>
          <p className="truncate text-xs text-dim">{worker_email}</p>
        </div>
        <CoinAmount value={payable_amount} chip />
      </div>
      <ExpandableText of={worker_name}>{submission.submissoin_data}</ExpandableText>
      <TaskText submissionId={submission._id} of={worker_name} />
      <div className="mt-auto flex flex-wrap items-center justify-between gap-3 pt-4">
        <p className="flex items-center gap-1.5 text-sm text-dim">
          <IconClock size={18} stroke={1.8} aria-hidden />
          {left ? `Auto-approves in ${left}` : 'Auto-approves soon'}
        </p>
        <div className="flex flex-1 flex-wrap justify-end gap-3 max-sm:basis-full">
          <Button
            variant="default"
            className="max-sm:grow"
            disabled={busy}
            leftSection={<IconX size={18} aria-hidden />}
            onClick={reject}
          >
            Reject<span className="sr-only"> work by {worker_name}</span>
          </Button>
          <Button
            className="max-sm:grow"
            loading={busy}
            leftSection={<IconCheck size={18} aria-hidden />}
            onClick={approve}
          >
            Approve<span className="sr-only"> work by {worker_name}</span>
          </Button>
        </div>
      </div>
    </article>
  )
}
