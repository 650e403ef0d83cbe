import { t } from '@lingui/core/macro'
import { Button } from '@mantine/core'
import type { Submission } from '#contract/submissions.ts'
import { SubmittedItem } from '#web/features/batches/submitted-item.tsx'
import { CoinAmount } from '#web/features/coins/coin-amount.tsx'
import { WorkerRecordLine } from '#web/features/records/worker-record.tsx'
import { ExpandableText } from '#web/features/submissions/expandable-text.tsx'
import { TaskText } from '#web/features/submissions/task-text.tsx'
import { timeLeft, useCurrentMinute } from '#web/features/submissions/time-left.ts'
import { formatDateTime, formatTimeAgo } from '#web/lib/format-time.ts'
import { Avatar } from '#web/ui/avatar.tsx'
import { IconClock } from '#web/ui/icons.ts'
import { UserText } from '#web/ui/user-text.tsx'
import { DecisionLabel } from './decision-label.tsx'
import { DecisionNotice } from './decision-notice.tsx'
import { type DecisionEntry, isUndecided } from './decision-queue.ts'
import { DECISIONS, type Decision, type DecisionKind, decisionKindsOf } from './decisions.tsx'

type Props = {
  submission: Submission
  entry: DecisionEntry | undefined
  /** Renders the whole work; otherwise a long one is collapsed, so that the buttons are near. */
  isWide: boolean
  openForm: DecisionKind | null
  choose: (kind: DecisionKind) => void
  decide: (decision: Decision) => void
  closeForm: () => void
  undo: (id: string) => void
  retry: () => void
}

/** Renders the submission under review: the work, its worker and task, and the decisions about it. */
export function ReviewDetail({ submission, entry, isWide, ...actions }: Props) {
  const { worker_name, worker_email, task_title, payable_amount, createdAt, reviewBy } = submission
  const now = useCurrentMinute()
  const left = reviewBy && timeLeft(reviewBy, now)
  const Form = actions.openForm && DECISIONS[actions.openForm].Form
  return (
    <article className="flex min-h-full flex-col" aria-label={t`Work by ${{ worker: worker_name }}`}>
      <div className="flex-1 p-4 sm:p-6">
        <div className="flex flex-wrap items-start gap-3">
          <Avatar name={worker_name} size={42} />
          <div className="min-w-0 flex-1 basis-36 leading-snug">
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
            <p className="mt-0.5 text-xs text-dim">
              <WorkerRecordLine submission={submission} />
            </p>
          </div>
          <CoinAmount value={payable_amount} chip />
        </div>
        {submission.item !== null ? (
          <SubmittedItem
            submissionId={submission._id}
            number={submission.item}
            text={submission.submissoin_data}
          />
        ) : isWide ? (
          <div className="mt-4 rounded-control bg-canvas px-4 py-3">
            <UserText className="text-[0.9375rem]">{submission.submissoin_data}</UserText>
          </div>
        ) : (
          <ExpandableText of={worker_name}>{submission.submissoin_data}</ExpandableText>
        )}
        <TaskText submissionId={submission._id} of={worker_name} />
        {submission.revisionRequest !== null && (
          <div className="mt-2 text-sm">
            <p className="font-nav">{t`You requested a revision:`}</p>
            <UserText className="text-dim">{submission.revisionRequest}</UserText>
          </div>
        )}
        <p className="mt-2 flex items-center gap-1.5 text-sm text-dim">
          <IconClock size={18} stroke={1.8} aria-hidden />
          {left ? t`Auto-approves in ${left}` : t`Auto-approves soon`}
        </p>
      </div>
      <div className={`border-t border-line bg-surface px-4 py-4 sm:px-6 ${isWide ? 'sticky bottom-0' : ''}`}>
        {entry && <DecisionNotice entry={entry} undo={actions.undo} retry={actions.retry} />}
        {isUndecided(entry) &&
          (Form ? (
            <Form submission={submission} onDecide={actions.decide} onCancel={actions.closeForm} />
          ) : (
            <DecisionButtons submission={submission} choose={actions.choose} />
          ))}
      </div>
    </article>
  )
}

type ButtonsProps = { submission: Submission; choose: (kind: DecisionKind) => void }

function DecisionButtons({ submission, choose }: ButtonsProps) {
  return (
    <div className="flex flex-wrap justify-end gap-3">
      {decisionKindsOf(submission).map((kind) => {
        const { shortcut, Icon, isPrimary } = DECISIONS[kind]
        return (
          <Button
            key={kind}
            variant={isPrimary ? 'filled' : 'default'}
            className="max-sm:grow"
            leftSection={<Icon size={18} aria-hidden />}
            aria-keyshortcuts={shortcut}
            onClick={() => choose(kind)}
          >
            <DecisionLabel kind={kind} worker={submission.worker_name} />
          </Button>
        )
      })}
    </div>
  )
}
