import { t } from '@lingui/core/macro'
import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link, useParams } from 'react-router'
import { type Case, submissionCase } from '#contract/appeals.ts'
import { CaseState } from '#web/features/appeals/case-state.tsx'
import { CaseTimeline } from '#web/features/appeals/case-timeline.tsx'
import { SubmittedItem } from '#web/features/batches/submitted-item.tsx'
import { CoinAmount } from '#web/features/coins/coin-amount.tsx'
import { ExpandableText } from '#web/features/submissions/expandable-text.tsx'
import { OpenablePicture } from '#web/features/tasks/openable-picture.tsx'
import { ApiError, errorMessage } from '#web/lib/api.ts'
import { queryOf } from '#web/lib/queries.ts'
import { useUserData } from '#web/lib/session.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { ErrorState } from '#web/ui/error-state.tsx'
import { Screen } from '#web/ui/screen.tsx'
import { ListSkeleton } from '#web/ui/skeleton.tsx'
import { UserText } from '#web/ui/user-text.tsx'

const LISTS = {
  Worker: { to: '/dashboard/my-submisson', label: t`View my submissions` },
  Buyer: { to: '/dashboard/task-to-review', label: t`View submissions` },
  Admin: { to: '/dashboard', label: t`Back to the dashboard` },
}

/** Renders a submission with everything said and moved, and what its viewer can do. */
export default function CaseScreen() {
  const { id = '' } = useParams()
  const { data: subject, error, refetch } = useQuery(queryOf(submissionCase, { params: { id } }))
  const { role } = useUserData()
  const isNotFound = error instanceof ApiError && [400, 404, 422].includes(error.status)
  // A reviewer whose review passed to another one may not read it any more.
  if (subject && !isNotFound) return <LoadedCase key={subject._id} subject={subject} />
  const list = LISTS[role]
  return (
    <Screen title={t`Case`} width="narrow">
      {error === null ? (
        <ListSkeleton />
      ) : isNotFound ? (
        <EmptyState
          title={t`Case not found`}
          action={
            <Button component={Link} to={list.to}>
              {list.label}
            </Button>
          }
        >
          {t`Only the worker, the buyer and the reviewer of a submission can see it.`}
        </EmptyState>
      ) : (
        <ErrorState message={errorMessage(error)} retry={() => void refetch()} />
      )}
    </Screen>
  )
}

function LoadedCase({ subject }: { subject: Case }) {
  const { viewer, worker_name, buyer_name } = subject
  const names = {
    worker: t`Your work for ${{ buyer: buyer_name ?? '' }}`,
    buyer: t`Work by ${{ worker: worker_name ?? '' }}`,
    reviewer: t`Names are hidden, so that you can decide fairly`,
  }
  return (
    <Screen title={subject.task_title} subtitle={names[viewer]}>
      <div className="grid grid-cols-1 items-start gap-5 @2xl:grid-cols-[minmax(0,1fr)_20rem]">
        <div className="min-w-0 space-y-5">
          <CaseState subject={subject} />
          <section className="card p-5 sm:p-6" aria-label={t`Work`}>
            <h2 className="text-lg">{viewer === 'worker' ? t`Your work` : t`Submitted work`}</h2>
            {subject.item === null ? (
              <ExpandableText>{subject.submissoin_data}</ExpandableText>
            ) : (
              <SubmittedItem
                submissionId={subject._id}
                number={subject.item}
                text={subject.submissoin_data}
              />
            )}
          </section>
          <CaseTimeline subject={subject} />
        </div>
        <TaskOfCase subject={subject} />
      </div>
    </Screen>
  )
}

function TaskOfCase({ subject }: { subject: Case }) {
  return (
    <section aria-label={t`Task`} className="card min-w-0 p-5">
      <div className="flex flex-wrap items-start justify-between gap-x-3">
        <h2 className="text-lg wrap-normal">{t`Task`}</h2>
        <CoinAmount value={subject.payable_amount} showUnit />
      </div>
      <p className="mt-1 text-sm text-dim">{t`The text as it was when the work was done`}</p>
      {subject.taskImg !== '' && (
        <div className="mt-3">
          <OpenablePicture
            image={subject.taskImg}
            category={subject.taskCategory}
            title={subject.task_title}
          />
        </div>
      )}
      <h3 className="mt-4 text-base">{t`What to do`}</h3>
      <UserText className="mt-1">{subject.task_detail}</UserText>
      <h3 className="mt-4 text-base">{t`What to submit`}</h3>
      <UserText className="mt-1">{subject.submission_info}</UserText>
    </section>
  )
}
