import { t } from '@lingui/core/macro'
import { Link } from 'react-router'
import type { SubmissionState } from '#contract/submission-states.ts'
import type { Submission } from '#contract/submissions.ts'
import type { TaskDetails } from '#contract/tasks.ts'
import { REJECTION_CATEGORY_NAMES } from '#web/features/submissions/rejection-categories.ts'
import { SubmissionStateBadge } from '#web/features/submissions/submission-state.tsx'
import { timeLeft, useCurrentMinute } from '#web/features/submissions/time-left.ts'

type Viewer = 'worker' | 'buyer'

/** The time until the deadline of a state, in words for its viewer. */
const CLOCKS: Partial<Record<SubmissionState, Record<Viewer, (left: string) => string>>> = {
  revision_requested: {
    worker: (left) => t`${left} left to revise`,
    buyer: (left) => t`Worker has ${left} to revise`,
  },
  rejection_open: {
    worker: (left) => t`${left} left to appeal`,
    buyer: (left) => t`Worker has ${left} to appeal`,
  },
  appealed: {
    worker: (left) => t`Buyer has ${left} to respond`,
    buyer: (left) => t`${left} left to respond`,
  },
  in_review: {
    worker: (left) => t`Reviewer has ${left} to decide`,
    buyer: (left) => t`Reviewer has ${left} to decide`,
  },
}

/** What the viewer can do in a state, as the text of the link to the case. */
const ACTIONS: Record<Viewer, Partial<Record<SubmissionState, string>>> = {
  worker: { revision_requested: t`Revise`, rejection_open: t`Appeal` },
  buyer: { appealed: t`Respond to the appeal` },
}

type Props = { submission: Submission; viewer: Viewer }

/** Renders why a submission was rejected or sent back, and the time left for the next step with the link to it. */
export function StateDetails({ submission, viewer }: Props) {
  const { state, status, category, reason, requirement, revisionRequest, dueAt } = submission
  const now = useCurrentMinute()
  const left = dueAt && timeLeft(dueAt, now)
  const clock = left && CLOCKS[state]?.[viewer](left)
  const action = ACTIONS[viewer][state]
  if (status !== 'rejected' && state !== 'revision_requested' && !clock && !action) return null
  return (
    <div className="mt-1.5 space-y-1 text-sm break-words">
      {status === 'rejected' && (
        <p>
          <span className="font-number text-danger">{t`Reason:`}</span>{' '}
          {category && (
            <>
              <span className="font-nav">{t`${{ category: REJECTION_CATEGORY_NAMES[category] }}.`}</span>{' '}
            </>
          )}
          {reason || t`No reason given.`}
        </p>
      )}
      {status === 'rejected' && requirement !== '' && (
        <p>
          <span className="font-number">{t`Requirement:`}</span> {requirement}
        </p>
      )}
      {state === 'revision_requested' && (
        <p>
          <span className="font-number">{t`Missing:`}</span> {revisionRequest}
        </p>
      )}
      {(clock || action) && (
        <p className="flex flex-wrap items-center gap-x-3">
          {clock && <span className="text-dim">{clock}</span>}
          {action && (
            <Link
              to={casePath(submission)}
              className="link inline-flex min-h-8 items-center text-sm font-nav"
            >
              {action}
              <span className="sr-only">: {submission.task_title}</span>
            </Link>
          )}
        </p>
      )}
    </div>
  )
}

/** Renders the state of the worker's rejected work on a task, the time left for the next step, and the link to its case. */
export function OpenRejection({ rejection }: { rejection: NonNullable<TaskDetails['rejection']> }) {
  const { state, dueAt } = rejection
  const left = timeLeft(dueAt, useCurrentMinute())
  return (
    <p className="mb-4 flex flex-wrap items-center gap-x-3 gap-y-1 text-sm">
      <span>{t`Your earlier work:`}</span>
      <SubmissionStateBadge state={state} />
      {left && <span className="text-dim">{CLOCKS[state]?.worker(left)}</span>}
      <Link to={casePath(rejection)} className="link inline-flex min-h-8 items-center font-nav">
        {ACTIONS.worker[state] ?? t`Open the case`}
      </Link>
    </p>
  )
}

/** Renders the title of a submission's task as the link to its case, which stays when the task is deleted. */
export function CaseLink({ submission }: { submission: Submission }) {
  return (
    <Link
      to={casePath(submission)}
      className="line-clamp-2 text-base leading-snug font-number no-underline hover:underline"
    >
      {submission.task_title}
    </Link>
  )
}

const casePath = ({ _id }: { _id: string }) => `/dashboard/case/${_id}`
