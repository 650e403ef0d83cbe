import { t } from '@lingui/core/macro'
import type { TaskDetails } from '#contract/tasks.ts'
import { ExpandableText } from '#web/features/submissions/expandable-text.tsx'
import { SubmissionStateBadge } from '#web/features/submissions/submission-state.tsx'
import { TaskText } from '#web/features/submissions/task-text.tsx'
import { timeLeft, useCurrentMinute } from '#web/features/submissions/time-left.ts'
import { NextTask } from '#web/features/tasks/next-task.tsx'
import { formatDateTime } from '#web/lib/format-time.ts'
import { LinkButton } from '#web/ui/button.tsx'

type Props = { taskId: string; submission: NonNullable<TaskDetails['submission']>; taskVersion: number }

/** Renders the worker's own submission for a task, with its status. */
export function OwnSubmission({ taskId, submission, taskVersion }: Props) {
  const { state, submissoin_data, createdAt } = submission
  const now = useCurrentMinute()
  const { heading, next } = textsOf(submission, now)
  const isSentBack = state === 'revision_requested'
  return (
    <>
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <h2 className="text-lg">{heading}</h2>
        {!isSentBack && <SubmissionStateBadge state={state} />}
      </div>
      <p className="mt-1 text-dim">{next}</p>
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
          {isSentBack && <LinkButton to={`/dashboard/case/${submission._id}`}>{t`Revise`}</LinkButton>}
          <LinkButton to="/dashboard/my-submisson" variant="default">
            {t`My submissions`}
          </LinkButton>
          <NextTask taskId={taskId} />
        </div>
      </div>
    </>
  )
}

/** Returns the heading of a submission's state, and what comes next. */
function textsOf({ state, dueAt }: Props['submission'], now: number) {
  if (state === 'approved')
    return { heading: t`Your work was approved`, next: t`The coins have been added to your balance.` }
  const left = dueAt && timeLeft(dueAt, now)
  if (state === 'revision_requested')
    return { heading: t`Revision requested`, next: left && t`${left} left to revise` }
  return {
    heading: t`Your work is in review`,
    next: left
      ? t`You are paid when the buyer approves it. It is approved automatically in ${left}.`
      : t`You are paid when the buyer approves it.`,
  }
}
