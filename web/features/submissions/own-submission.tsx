import { t } from '@lingui/core/macro'
import type { TaskDetails } from '#contract/tasks.ts'
import { ExpandableText } from '#web/features/submissions/expandable-text.tsx'
import { SubmissionStateBadge } from '#web/features/submissions/submission-status.tsx'
import { TaskText } from '#web/features/submissions/task-text.tsx'
import { timeLeft, useCurrentMinute } from '#web/features/submissions/time-left.ts'
import { NextTask } from '#web/features/tasks/next-task.tsx'
import { formatDateTime } from '#web/lib/format-time.ts'
import { LinkButton } from '#web/ui/button.tsx'

type Props = { taskId: string; submission: NonNullable<TaskDetails['submission']>; taskVersion: number }

/** Renders the worker's own submission for a task, with its status. */
export function OwnSubmission({ taskId, submission, taskVersion }: Props) {
  const { status, state, submissoin_data, createdAt, reviewBy } = submission
  const now = useCurrentMinute()
  const left = reviewBy ? timeLeft(reviewBy, now) : null
  return (
    <>
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <h2 className="text-lg">
          {status === 'approved' ? t`Your work was approved` : t`Your work is in review`}
        </h2>
        <SubmissionStateBadge state={state} />
      </div>
      <p className="mt-1 text-dim">
        {status === 'approved' ? t`The coins have been added to your balance.` : payTextOf(left)}
      </p>
      <ExpandableText>{submissoin_data}</ExpandableText>
      {submission.taskVersion !== taskVersion && (
        <div className="mt-4 text-sm">
          <p className="text-dim">
            {t`The buyer edited this task after you started. Your work is judged by the task text you were shown.`}
          </p>
          <TaskText submissionId={submission._id} />
        </div>
      )}
      <div className="mt-4 flex flex-wrap items-center justify-between gap-3">
        <p className="text-sm text-dim">{t`Submitted on ${{ time: formatDateTime(createdAt) }}`}</p>
        <div className="flex flex-wrap gap-3">
          <LinkButton to="/dashboard/my-submisson" variant="default">
            {t`My submissions`}
          </LinkButton>
          <NextTask taskId={taskId} />
        </div>
      </div>
    </>
  )
}

function payTextOf(left: string | null): string {
  return left === null
    ? t`You are paid when the buyer approves it.`
    : t`You are paid when the buyer approves it. It is approved automatically in ${left}.`
}
