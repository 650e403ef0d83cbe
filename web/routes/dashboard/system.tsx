import { plural, t } from '@lingui/core/macro'
import { useSuspenseQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import {
  type FailedJobSummary,
  type JobCounts,
  type ReplicaHealth,
  type System,
  system,
} from '#contract/system.ts'
import { FailedJobs } from '#web/features/jobs/failed-jobs.tsx'
import { CardsSection } from '#web/features/system/cards-section.tsx'
import { GrowthSection } from '#web/features/system/growth-section.tsx'
import { formatMilliseconds, formatNumber } from '#web/lib/format.ts'
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
  const { audit, jobs, mail, webhooks, cards, program, database, replicas, outbox, growth, troubles } = data
  return (
    <Screen
      title={t`System`}
      subtitle={t`Health of this instance, updated every ${{ period: formatMilliseconds(REFRESH_MS) }}`}
    >
      <div className="space-y-6">
        <StatusBanner system={data} />
        <div className="grid gap-4 md:grid-cols-2 xl:grid-cols-3">
          <SystemSection id="audit" title={t`Books`} to="/dashboard/books" linkLabel={t`Run an audit`}>
            <StatRow name={t`Last audit`}>
              {audit === null ? (
                t`Not run yet`
              ) : (
                <StatusBadge tone={audit.balanced ? 'success' : 'error'}>
                  {audit.balanced ? t`Balanced` : t`Not balanced`}
                </StatusBadge>
              )}
            </StatRow>
            {audit && <StatRow name={t`Time`}>{formatTimeAgo(audit.time)}</StatRow>}
            {audit && (
              <StatRow name={t`Duration`}>{t`${{ duration: formatNumber(audit.tookMs) }} ms`}</StatRow>
            )}
          </SystemSection>
          <SystemSection
            id="jobs"
            title={t`Background jobs`}
            to="/dashboard/jobs"
            linkLabel={t`View all queues`}
          >
            <CountRows counts={jobs} />
            <StatRow name={t`Outbox`}>{formatNumber(outbox)}</StatRow>
          </SystemSection>
          <SystemSection id="mail" title={t`Email`} to="/dashboard/jobs" linkLabel={t`Retry failed emails`}>
            <CountRows counts={mail} />
          </SystemSection>
          <SystemSection
            id="webhooks"
            title={t`Card webhooks`}
            to="/dashboard/payments"
            linkLabel={t`View all payments`}
          >
            <CountRows counts={webhooks} />
            <StatRow name={t`Last received`}>
              {webhooks.lastReceivedAt === null ? t`Never` : formatTimeAgo(webhooks.lastReceivedAt)}
            </StatRow>
          </SystemSection>
          <SystemSection id="program" title={t`This instance`}>
            <StatRow name={t`Started`}>{formatTimeAgo(program.startedAt)}</StatRow>
            <StatRow name={t`Memory`}>{t`${{ size: formatNumber(program.memoryMb) }} MB`}</StatRow>
            <StatRow name={t`Requests rejected`}>{formatNumber(program.turnedAway)}</StatRow>
          </SystemSection>
          <SystemSection id="database" title={t`Database`}>
            <StatRow name={t`Connections`}>{formatNumber(database.connections)}</StatRow>
            <StatRow name={t`Idle`}>{formatNumber(database.idle)}</StatRow>
            <StatRow name={t`Waiting requests`}>{formatNumber(database.waiting)}</StatRow>
            <StatRow name={t`Retried transactions`}>{formatNumber(database.retries)}</StatRow>
          </SystemSection>
          {replicas.length > 0 && (
            <SystemSection id="replicas" title={t`Read replicas`}>
              {replicas.map((replica) => (
                <StatRow key={replica.name} name={replica.name}>
                  <ReplicaState replica={replica} />
                </StatRow>
              ))}
            </SystemSection>
          )}
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
function findProblems({ audit, replicas, jobs, mail, webhooks, cards }: System): string[] {
  const failedChecks = cards.checks.filter(({ result }) => result === 'failed').length
  const cardFailures = cards.failures
    .filter(({ lastAt }) => Date.now() - Date.parse(lastAt) < CARD_FAILURE_RECENT_MS)
    .reduce((sum, { count }) => sum + count, 0)
  const unusedReplicas = replicas.filter(({ inUse, primary }) => !inUse && !primary).length
  const isAuditOverdue = audit !== null && Date.now() - Date.parse(audit.time) > AUDIT_OVERDUE_MS
  return [
    audit !== null && !audit.balanced && t`The books do not balance`,
    isAuditOverdue && t`The last audit was more than an hour ago`,
    unusedReplicas > 0 &&
      plural(unusedReplicas, { one: '# read replica is not used', other: '# read replicas are not used' }),
    jobs.failed > 0 && plural(jobs.failed, { one: '# failed job', other: '# failed jobs' }),
    mail.failed > 0 && plural(mail.failed, { one: '# failed email', other: '# failed emails' }),
    webhooks.failed > 0 && plural(webhooks.failed, { one: '# failed webhook', other: '# failed webhooks' }),
    failedChecks > 0 && t`The card processor settings are wrong`,
    cardFailures > 0 &&
      plural(cardFailures, { one: '# card processor failure', other: '# card processor failures' }),
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
          {isHealthy ? t`All systems operational` : t`Attention needed`}
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

/** Milliseconds matter while a replica is used; one that is not used may be hours behind. */
function lagText(lagMs: number): string {
  if (lagMs < 1000) return t`${{ duration: formatNumber(lagMs) }} ms`
  const unit = lagMs < 120_000 ? 1000 : lagMs < 7_200_000 ? 60_000 : 3_600_000
  return formatMilliseconds(Math.round(lagMs / unit) * unit)
}

function ReplicaState({ replica: { inUse, primary, lagMs } }: { replica: ReplicaHealth }) {
  if (primary) return <StatusBadge tone="neutral">{t`Not used: this is the primary`}</StatusBadge>
  const lag = lagMs === null ? t`never responded` : t`${{ duration: lagText(lagMs) }} behind`
  return <StatusBadge tone={inUse ? 'success' : 'error'}>{inUse ? lag : t`Not used: ${{ lag }}`}</StatusBadge>
}

function CountRows({ counts: { waiting, retried, failed } }: { counts: JobCounts }) {
  return (
    <>
      <StatRow name={t`Waiting or in progress`}>{formatNumber(waiting)}</StatRow>
      <StatRow name={t`Retrying`}>{formatNumber(retried)}</StatRow>
      <StatRow name={t`Failed`}>
        <StatusBadge tone={failed === 0 ? 'success' : 'error'}>
          {failed === 0 ? t`None` : formatNumber(failed)}
        </StatusBadge>
      </StatRow>
    </>
  )
}

const KIND_LABELS: Record<FailedJobSummary['kind'], string> = {
  job: t`Job`,
  mail: t`Email`,
  webhook: t`Card webhook`,
}
