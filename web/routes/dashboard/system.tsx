import { useSuspenseQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { type FailedJobSummary, type JobCounts, type System, system } from '#contract/system.ts'
import { FailedJobs } from '#web/features/jobs/failed-jobs.tsx'
import { CardsSection } from '#web/features/system/cards-section.tsx'
import { GrowthSection } from '#web/features/system/growth-section.tsx'
import { formatDuration, formatNumber, pluralize } from '#web/lib/format.ts'
import { formatTimeAgo } from '#web/lib/format-time.ts'
import { queryOf } from '#web/lib/queries.ts'
import { IconAlertTriangle, IconCircleCheck } from '#web/ui/icons.ts'
import { Screen } from '#web/ui/screen.tsx'
import { StatList, StatRow } from '#web/ui/stat-list.tsx'
import { StatusBadge } from '#web/ui/status-badge.tsx'
import type { ScreenHandle } from './layout.tsx'

export const handle: ScreenHandle = { roles: ['Admin'] }

const REFRESH_MS = 15_000
/** The audit runs four times an hour. */
const AUDIT_OVERDUE_MS = 3_600_000
/** A failure of the card processor needs attention for an hour after the last of its kind. */
const CARD_FAILURE_RECENT_MS = 3_600_000

/** Renders the health of the system, with links to the details. */
export default function SystemScreen() {
  const { data } = useSuspenseQuery({ ...queryOf(system, {}), refetchInterval: REFRESH_MS, staleTime: 0 })
  const { audit, jobs, mail, webhooks, cards, program, database, outbox, growth, troubles } = data
  return (
    <Screen title="System" subtitle={`Health of this instance, updated every ${formatDuration(REFRESH_MS)}`}>
      <div className="space-y-6">
        <StatusBanner system={data} />
        <div className="grid gap-4 md:grid-cols-2 xl:grid-cols-3">
          <SystemSection id="audit" title="Books" to="/dashboard/books" linkLabel="Run an audit">
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
          </SystemSection>
          <SystemSection id="jobs" title="Background jobs" to="/dashboard/jobs" linkLabel="View all queues">
            <CountRows counts={jobs} />
            <StatRow name="Outbox">{formatNumber(outbox)}</StatRow>
          </SystemSection>
          <SystemSection id="mail" title="Email" to="/dashboard/jobs" linkLabel="Retry failed emails">
            <CountRows counts={mail} />
          </SystemSection>
          <SystemSection
            id="webhooks"
            title="Card webhooks"
            to="/dashboard/payments"
            linkLabel="View all payments"
          >
            <CountRows counts={webhooks} />
            <StatRow name="Last received">
              {webhooks.lastReceivedAt === null ? 'Never' : formatTimeAgo(webhooks.lastReceivedAt)}
            </StatRow>
          </SystemSection>
          <SystemSection id="program" title="This instance">
            <StatRow name="Started">{formatTimeAgo(program.startedAt)}</StatRow>
            <StatRow name="Memory">{formatNumber(program.memoryMb)} MB</StatRow>
            <StatRow name="Requests rejected">{formatNumber(program.turnedAway)}</StatRow>
          </SystemSection>
          <SystemSection id="database" title="Database">
            <StatRow name="Connections">{formatNumber(database.connections)}</StatRow>
            <StatRow name="Idle">{formatNumber(database.idle)}</StatRow>
            <StatRow name="Waiting requests">{formatNumber(database.waiting)}</StatRow>
            <StatRow name="Retried transactions">{formatNumber(database.retries)}</StatRow>
          </SystemSection>
        </div>
        <CardsSection cards={cards} />
        <GrowthSection growth={growth} />
        <FailedJobs
          jobs={troubles}
          title={({ kind, queue, about }) =>
            `${KIND_LABELS[kind]}: ${about === '' ? queue : `${queue}, ${about}`}`
          }
        />
      </div>
    </Screen>
  )
}

/** Returns the problems that need attention. */
function findProblems({ audit, jobs, mail, webhooks, cards }: System): string[] {
  const failedChecks = cards.checks.filter(({ result }) => result === 'failed').length
  const cardFailures = cards.failures
    .filter(({ lastAt }) => Date.now() - Date.parse(lastAt) < CARD_FAILURE_RECENT_MS)
    .reduce((sum, { count }) => sum + count, 0)
  const isAuditOverdue = audit !== null && Date.now() - Date.parse(audit.time) > AUDIT_OVERDUE_MS
  return [
    audit !== null && !audit.balanced && 'The books do not balance',
    isAuditOverdue && 'The last audit was more than an hour ago',
    jobs.failed > 0 && `${pluralize(jobs.failed, 'failed job')}`,
    mail.failed > 0 && `${pluralize(mail.failed, 'failed email')}`,
    webhooks.failed > 0 && `${pluralize(webhooks.failed, 'failed webhook')}`,
    failedChecks > 0 && 'The card processor settings are wrong',
    cardFailures > 0 && `${pluralize(cardFailures, 'card processor failure')}`,
  ].filter((problem) => problem !== false)
}

function StatusBanner({ system: now }: { system: System }) {
  const problems = findProblems(now)
  const isHealthy = problems.length === 0
  const Icon = isHealthy ? IconCircleCheck : IconAlertTriangle
  return (
    <section
      role="status"
      className={`flex items-center gap-4 rounded-card p-5 ${isHealthy ? 'bg-soft text-on-soft' : 'bg-danger-soft text-danger'}`}
    >
      <Icon size={36} className="shrink-0" aria-hidden />
      <div>
        <p className="text-xl font-heading tracking-tight">
          {isHealthy ? 'All systems operational' : 'Attention needed'}
        </p>
        {!isHealthy && <p className="text-sm">{problems.join(' · ')}</p>}
      </div>
    </section>
  )
}

type SectionProps = { id: string; title: string; to?: string; linkLabel?: string; children: ReactNode }

function SystemSection({ id, title, to, linkLabel, children }: SectionProps) {
  return (
    <section aria-labelledby={id} className="card p-5">
      <h2 id={id} className="mb-2 text-lg">
        {title}
      </h2>
      <StatList>{children}</StatList>
      {to !== undefined && (
        <p className="mt-3 text-sm">
          <Link to={to} className="link">
            {linkLabel}
          </Link>
        </p>
      )}
    </section>
  )
}

function CountRows({ counts: { waiting, retried, failed } }: { counts: JobCounts }) {
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

const KIND_LABELS: Record<FailedJobSummary['kind'], string> = {
  job: 'Job',
  mail: 'Email',
  webhook: 'Card webhook',
}
