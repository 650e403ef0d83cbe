import { plural, t } from '@lingui/core/macro'
import type { ReactNode } from 'react'
import type { FailedJob } from '#contract/jobs.ts'
import { formatDateTime } from '#web/lib/format-time.ts'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { StatusBadge } from '#web/ui/status-badge.tsx'

type Job = Omit<FailedJob, '_id'> & { _id: string }

type Props<J extends Job> = {
  jobs: readonly J[]
  /** Returns the heading of a job. */
  title: (job: J) => string
  /** Renders the action of a job, such as a retry button. */
  action?: (job: J) => ReactNode
}

/** Renders the jobs that failed or are being retried, each with its error. */
export function FailedJobs<J extends Job>({ jobs, title, action }: Props<J>) {
  return (
    <section aria-labelledby="failed-jobs">
      <h2 id="failed-jobs" className="mb-3 text-lg">{t`Failures`}</h2>
      {jobs.length === 0 ? (
        <EmptyState title={t`Nothing has failed.`}>
          {t`Jobs, emails and webhooks that fail are retried and listed here.`}
        </EmptyState>
      ) : (
        <ul aria-label={t`Failures`} className="space-y-3">
          {jobs.map((job) => (
            <li key={job._id}>
              <FailedJobCard job={job} title={title(job)}>
                {action?.(job)}
              </FailedJobCard>
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}

function FailedJobCard({ job, title, children }: { job: Job; title: string; children: ReactNode }) {
  const hasFailed = job.state === 'failed'
  return (
    <article className="card p-5">
      <div className="flex flex-wrap items-start justify-between gap-3">
        <h3 className="min-w-0 text-base font-number break-words">{title}</h3>
        <StatusBadge tone={hasFailed ? 'error' : 'warning'}>
          {hasFailed ? t`Failed` : t`Retrying`}
        </StatusBadge>
      </div>
      <p className="mt-2 break-words">{job.reason}</p>
      <div className="mt-3 flex flex-wrap items-center justify-between gap-3">
        <p className="text-sm text-dim">{attemptsText(job)}</p>
        {children}
      </div>
    </article>
  )
}

function attemptsText({ attempts, time, nextAt }: Job): string {
  return nextAt === null
    ? t`${plural(attempts, { one: '# attempt', other: '# attempts' })}, last ${{ last: formatDateTime(time) }}`
    : t`${plural(attempts, { one: '# attempt', other: '# attempts' })}, next ${{ next: formatDateTime(nextAt) }}`
}
