import type { CardHealth } from '#contract/system.ts'
import { pluralize } from '#web/lib/format.ts'
import { formatTimeAgo } from '#web/lib/format-time.ts'
import { StatList, StatRow } from '#web/ui/stat-list.tsx'
import { StatusBadge } from '#web/ui/status-badge.tsx'

type Check = CardHealth['checks'][number]
type Failure = CardHealth['failures'][number]

const MODES = {
  sandbox: 'Sandbox, no money moves',
  test: 'Test mode, no money moves',
  live: 'Live',
}
const CHECKS: Record<Check['name'], string> = {
  secret_key: 'Secret key',
  mode: 'Mode of the key',
  publishable_key: 'Publishable key',
  webhook: 'Webhook endpoint',
}
const RESULTS = {
  ok: { label: 'OK', tone: 'success' },
  failed: { label: 'Failed', tone: 'error' },
  unknown: { label: 'Not checked', tone: 'neutral' },
} as const
const KINDS: Record<Failure['kind'], string> = {
  authentication: 'Key refused',
  permission: 'Permission missing',
  rate_limit: 'Rate limit reached',
  timeout: 'Timeout',
  connection: 'No connection',
  server_error: 'Server error',
  rejected: 'Request rejected',
  invalid_response: 'Invalid response',
  webhook: 'Webhook refused',
}

/** Renders the card processor's settings as it confirms them, and its failures of the last day. */
export function CardsSection({ cards }: { cards: CardHealth }) {
  const { provider, mode, checkedAt, checks, failures } = cards
  return (
    <section aria-labelledby="cards" className="card p-5">
      <h2 id="cards" className="mb-2 text-lg">
        Card processor
      </h2>
      <div className="grid gap-x-8 gap-y-4 md:grid-cols-2">
        <StatList>
          <StatRow name="Provider">{provider === 'stripe' ? 'Stripe' : 'Sandbox'}</StatRow>
          <StatRow name="Mode">{MODES[mode]}</StatRow>
          {checks.map((check) => (
            <CheckRow key={check.name} check={check} />
          ))}
          {checks.length > 0 && checkedAt !== null && (
            <StatRow name="Checked">{formatTimeAgo(checkedAt)}</StatRow>
          )}
        </StatList>
        <div>
          <h3 className="mb-1 text-base">Failures in the last 24 hours</h3>
          {failures.length === 0 ? (
            <p className="text-sm text-dim">None</p>
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
      <p>
        {KINDS[kind]} ({operation}): {pluralize(count, 'time')}, last {formatTimeAgo(lastAt)}
      </p>
      <p className="text-xs break-words text-dim">
        {response !== '' && `${response}: `}
        {message}
      </p>
      {requestId !== null && <p className="text-xs break-all text-dim">Request {requestId}</p>}
    </li>
  )
}
