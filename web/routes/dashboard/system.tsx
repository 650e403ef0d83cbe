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
    <Screen title="System" subtitle="Whether all is well, as of now">
      <div className="space-y-6">
        <Verdict system={data} />
        <div className="grid gap-4 md:grid-cols-2 xl:grid-cols-3">
          <Part id="audit" title="Books" to="/dashboard/books" more="Check them now">
            <StatRow name="Last audit">
              {audit === null ? (
                'None yet'
              ) : (
                <StatusBadge tone={audit.balanced ? 'success' : 'error'}>
                  {audit.balanced ? 'Balanced' : 'Not balanced'}
                </StatusBadge>
              )}
            </StatRow>
            {audit && <StatRow name="When">{formatTimeAgo(audit.time)}</StatRow>}
            {audit && <StatRow name="It took">{formatNumber(audit.tookMs)} ms</StatRow>}
          </Part>
          <Part id="jobs" title="Background work" to="/dashboard/jobs" more="Every queue">
            <WorkFigures work={jobs} />
            <StatRow name="On its way to pages and mail">{formatNumber(outbox)}</StatRow>
          </Part>
          <Part id="mail" title="Mail" to="/dashboard/jobs" more="Try failed mail again">
            <WorkFigures work={mail} />
          </Part>
          <Part id="webhooks" title="Card messages" to="/dashboard/payments" more="All payments">
            <WorkFigures work={webhooks} />
            <StatRow name="Last one came">
              {webhooks.lastReceivedAt === null ? 'Never yet' : formatTimeAgo(webhooks.lastReceivedAt)}
            </StatRow>
          </Part>
          <Part id="program" title="This instance">
            <StatRow name="Started">{formatTimeAgo(program.startedAt)}</StatRow>
            <StatRow name="Memory">{formatNumber(program.memoryMb)} MB</StatRow>
            <StatRow name="Calls turned away">{formatNumber(program.turnedAway)}</StatRow>
          </Part>
          <Part id="database" title="Its database">
            <StatRow name="Connections">{formatNumber(database.connections)}</StatRow>
            <StatRow name="Idle">{formatNumber(database.idle)}</StatRow>
            <StatRow name="Calls that wait for one">{formatNumber(database.waiting)}</StatRow>
            <StatRow name="Lost races run again">{formatNumber(database.retries)}</StatRow>
          </Part>
        </div>
        <section aria-labelledby="troubles">
          <h2 id="troubles" className="mb-3 text-lg">
            What did not succeed
          </h2>
          {troubles.length === 0 ? (
            <EmptyState title="Nothing has failed.">
              What fails is tried again, and appears here meanwhile.
            </EmptyState>
          ) : (
            <ul aria-label="What did not succeed" className="space-y-3">
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
    old && 'The books were not audited for more than an hour',
    jobs.failed > 0 && `${pluralize(jobs.failed, 'job')} given up`,
    mail.failed > 0 && `${pluralize(mail.failed, 'mail')} given up`,
    webhooks.failed > 0 && `${pluralize(webhooks.failed, 'card message')} given up`,
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
          {isWell ? 'All is well' : 'This needs somebody'}
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
      <StatRow name="Waiting or under way">{formatNumber(waiting)}</StatRow>
      <StatRow name="Tried again">{formatNumber(retried)}</StatRow>
      <StatRow name="Given up">
        <StatusBadge tone={failed === 0 ? 'success' : 'error'}>
          {failed === 0 ? 'None' : formatNumber(failed)}
        </StatusBadge>
      </StatRow>
    </>
  )
}

const KINDS: Record<FailedJobSummary['kind'], string> = { job: 'Job', mail: 'Mail', webhook: 'Card message' }

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
          {state === 'failed' ? 'Given up' : 'Tried again'}
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
