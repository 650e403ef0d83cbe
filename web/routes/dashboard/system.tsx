import { useSuspenseQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { type FailedJobSummary, type System, system, type Work } from '#contract/system.ts'
import { formatDateTime, formatNumber, formatTimeAgo, pluralize } from '#web/lib/format.ts'
import { queryOf } from '#web/lib/queries.ts'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { IconAlertTriangle, IconCircleCheck } from '#web/ui/icons.ts'
import { Screen } from '#web/ui/screen.tsx'
import { StatList, StatRow } from '#web/ui/stat-list.tsx'
import { StatusBadge } from '#web/ui/status-badge.tsx'
import type { ScreenHandle } from './layout.tsx'

export const handle: ScreenHandle = { roles: ['Admin'] }

const EVERY_MS = 15_000
/** The audit runs four times an hour. */
const AUDIT_OLD_MS = 3_600_000

/** The whole house at a glance: whether something needs a person, and where to look. */
export default function SystemScreen() {
  const { data } = useSuspenseQuery({ ...queryOf(system, {}), refetchInterval: EVERY_MS, staleTime: 0 })
  const { audit, jobs, mail, webhooks, program, database, outbox, troubles } = data
  return (
    <Screen title="System" subtitle="Health of this instance, updated every 15 seconds">
      <div className="space-y-6">
        <Verdict system={data} />
        <div className="grid gap-4 md:grid-cols-2 xl:grid-cols-3">
          <Part id="audit" title="Books" to="/dashboard/books" more="Run an audit">
            <StatRow name="Last audit">
              {audit === null ? (
                'Not run yet'
              ) : (
                <StatusBadge tone={audit.balanced ? 'success' : 'error'}>
                  {audit.balanced ? 'Balanced' : 'Not balanced'}
                </StatusBadge>
              )}
            </StatRow>
            {audit && <StatRow name="Time">{formatTimeAgo(audit.time)}</StatRow>}
            {audit && <StatRow name="Duration">{formatNumber(audit.tookMs)} ms</StatRow>}
          </Part>
          <Part id="jobs" title="Background jobs" to="/dashboard/jobs" more="View all queues">
            <WorkFigures work={jobs} />
            <StatRow name="Outbox">{formatNumber(outbox)}</StatRow>
          </Part>
          <Part id="mail" title="Email" to="/dashboard/jobs" more="Retry failed emails">
            <WorkFigures work={mail} />
          </Part>
          <Part id="webhooks" title="Card webhooks" to="/dashboard/payments" more="View all payments">
            <WorkFigures work={webhooks} />
            <StatRow name="Last received">
              {webhooks.lastReceivedAt === null ? 'Never' : formatTimeAgo(webhooks.lastReceivedAt)}
            </StatRow>
          </Part>
          <Part id="program" title="This instance">
            <StatRow name="Started">{formatTimeAgo(program.startedAt)}</StatRow>
            <StatRow name="Memory">{formatNumber(program.memoryMb)} MB</StatRow>
            <StatRow name="Requests rejected">{formatNumber(program.turnedAway)}</StatRow>
          </Part>
          <Part id="database" title="Database">
            <StatRow name="Connections">{formatNumber(database.connections)}</StatRow>
            <StatRow name="Idle">{formatNumber(database.idle)}</StatRow>
            <StatRow name="Waiting requests">{formatNumber(database.waiting)}</StatRow>
            <StatRow name="Retried transactions">{formatNumber(database.retries)}</StatRow>
          </Part>
        </div>
        <section aria-labelledby="troubles">
          <h2 id="troubles" className="mb-3 text-lg">
            Failed jobs
          </h2>
          {troubles.length === 0 ? (
            <EmptyState title="Nothing has failed.">Failed jobs are retried and listed here.</EmptyState>
          ) : (
            <ul aria-label="Failed jobs" className="space-y-3">
              {troubles.map((trouble) => (
                <li key={trouble._id}>
                  <OneTrouble trouble={trouble} />
                </li>
              ))}
            </ul>
          )}
        </section>
      </div>
    </Screen>
  )
}

/** What needs a person, in words; nothing when all is well. */
function concernsOf({ audit, jobs, mail, webhooks }: System): string[] {
  const old = audit !== null && Date.now() - Date.parse(audit.time) > AUDIT_OLD_MS
  return [
    audit !== null && !audit.balanced && 'The books do not balance',
    old && 'The last audit was more than an hour ago',
    jobs.failed > 0 && `${pluralize(jobs.failed, 'failed job')}`,
    mail.failed > 0 && `${pluralize(mail.failed, 'failed email')}`,
    webhooks.failed > 0 && `${pluralize(webhooks.failed, 'failed webhook')}`,
  ].filter((concern) => concern !== false)
}

function Verdict({ system: now }: { system: System }) {
  const concerns = concernsOf(now)
  const isWell = concerns.length === 0
  const Icon = isWell ? IconCircleCheck : IconAlertTriangle
  return (
    <section
      role="status"
      className={`flex items-center gap-4 rounded-card p-5 ${isWell ? 'bg-soft text-on-soft' : 'bg-danger-soft text-danger'}`}
    >
      <Icon size={36} className="shrink-0" aria-hidden />
      <div>
        <p className="text-xl font-heading tracking-tight">
          {isWell ? 'All systems operational' : 'Attention needed'}
        </p>
        {!isWell && <p className="text-sm">{concerns.join(' · ')}</p>}
      </div>
    </section>
  )
}

type PartProps = { id: string; title: string; to?: string; more?: string; children: ReactNode }

function Part({ id, title, to, more, children }: PartProps) {
  return (
    <section aria-labelledby={id} className="card p-5">
      <h2 id={id} className="mb-2 text-lg">
        {title}
      </h2>
      <StatList>{children}</StatList>
      {to !== undefined && (
        <p className="mt-3 text-sm">
          <Link to={to} className="link">
            {more}
          </Link>
        </p>
      )}
    </section>
  )
}

function WorkFigures({ work: { waiting, retried, failed } }: { work: Work }) {
  return (
    <>
      <StatRow name="Waiting or in progress">{formatNumber(waiting)}</StatRow>
      <StatRow name="Retrying">{formatNumber(retried)}</StatRow>
      <StatRow name="Failed">
        <StatusBadge tone={failed === 0 ? 'success' : 'error'}>
          {failed === 0 ? 'None' : formatNumber(failed)}
        </StatusBadge>
      </StatRow>
    </>
  )
}

const KINDS: Record<FailedJobSummary['kind'], string> = { job: 'Job', mail: 'Email', webhook: 'Card webhook' }

function OneTrouble({ trouble }: { trouble: FailedJobSummary }) {
  const { kind, queue, about, state, reason, attempts, time, nextAt } = trouble
  return (
    <article className="card p-5">
      <div className="flex flex-wrap items-start justify-between gap-3">
        <h3 className="min-w-0 text-base font-number break-words">
          {KINDS[kind]}: {queue}
          {about && `, ${about}`}
        </h3>
        <StatusBadge tone={state === 'failed' ? 'error' : 'warning'}>
          {state === 'failed' ? 'Failed' : 'Retrying'}
        </StatusBadge>
      </div>
      <p className="mt-2 break-words">{reason}</p>
      <p className="mt-3 text-sm text-dim">
        {pluralize(attempts, 'attempt')},{' '}
        {nextAt === null ? `last ${formatDateTime(time)}` : `next ${formatDateTime(nextAt)}`}
      </p>
    </article>
  )
}
