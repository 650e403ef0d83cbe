import { plural, t } from '@lingui/core/macro'
import type { CardHealth } from '#contract/system.ts'
import { formatTimeAgo } from '#web/lib/format-time.ts'
import { StatList, StatRow } from '#web/ui/stat-list.tsx'
import { StatusBadge } from '#web/ui/status-badge.tsx'

type Check = CardHealth['checks'][number]
type Failure = CardHealth['failures'][number]

const MODES = {
  sandbox: t`Sandbox, no money moves`,
  test: t`Test mode, no money moves`,
  live: t`Live`,
}
const CHECKS: Record<Check['name'], string> = {
  secret_key: t`Secret key`,
  mode: t`Mode of the key`,
  publishable_key: t`Publishable key`,
  webhook: t`Webhook endpoint`,
}
const RESULTS = {
  ok: { label: t`OK`, tone: 'success' },
  failed: { label: t`Failed`, tone: 'error' },
  unknown: { label: t`Not checked`, tone: 'neutral' },
} as const
const KINDS: Record<Failure['kind'], string> = {
  authentication: t`Key refused`,
  permission: t`Permission missing`,
  rate_limit: t`Rate limit reached`,
  timeout: t`Timeout`,
  connection: t`No connection`,
  server_error: t`Server error`,
  rejected: t`Request rejected`,
  invalid_response: t`Invalid response`,
  webhook: t`Webhook refused`,
}

/** Renders the card processor's settings as it confirms them, and its failures of the last day. */
export function CardsSection({ cards }: { cards: CardHealth }) {
  const { provider, mode, checkedAt, checks, failures } = cards
  return (
    <section aria-labelledby="cards" className="card p-5">
      <h2 id="cards" className="mb-2 text-lg">{t`Card processor`}</h2>
      <div className="grid gap-x-8 gap-y-4 md:grid-cols-2">
        <StatList>
          <StatRow name={t`Provider`}>{provider === 'stripe' ? 'Stripe' : t`Sandbox`}</StatRow>
          <StatRow name={t`Mode`}>{MODES[mode]}</StatRow>
          {checks.map((check) => (
            <CheckRow key={check.name} check={check} />
          ))}
          {checks.length > 0 && checkedAt !== null && (
            <StatRow name={t`Checked`}>{formatTimeAgo(checkedAt)}</StatRow>
          )}
        </StatList>
        <div>
          <h3 className="mb-1 text-base">{t`Failures in the last 24 hours`}</h3>
          {failures.length === 0 ? (
            <p className="text-sm text-dim">{t`None`}</p>
          ) : (
            <ul className="space-y-2 text-sm">
              {failures.map((failure) => (
                <FailureItem key={`${failure.operation} ${failure.kind}`} failure={failure} />
              ))}
            </ul>
          )}
        </div>
      </div>
    </section>
  )
}

function CheckRow({ check: { name, result, detail } }: { check: Check }) {
  const { label, tone } = RESULTS[result]
  return (
    <StatRow
      name={
        <>
          {CHECKS[name]}
          {detail !== '' && <span className="block text-xs break-words">{detail}</span>}
        </>
      }
    >
      <StatusBadge tone={tone}>{label}</StatusBadge>
    </StatRow>
  )
}

function FailureItem({ failure }: { failure: Failure }) {
  const { kind, operation, count, status, code, requestId, message, lastAt } = failure
  const response = [status, code].filter((part) => part !== null).join(' ')
  return (
    <li>
      <p>{t`${{ failure: KINDS[kind] }} (${operation}): ${plural(count, { one: '# time', other: '# times' })}, last ${{ lastAt: formatTimeAgo(lastAt) }}`}</p>
      <p className="text-xs break-words text-dim">
        {response !== '' && `${response}: `}
        {message}
      </p>
      {requestId !== null && <p className="text-xs break-all text-dim">{t`Request ${requestId}`}</p>}
    </li>
  )
}
