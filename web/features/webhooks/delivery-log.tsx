import { plural, t } from '@lingui/core/macro'
import { Button } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import {
  WEBHOOK_ERRORS,
  WEBHOOK_TIMEOUT_SECONDS,
  type WebhookAttempt,
  type WebhookDelivery,
  webhookDeliveries,
} from '#contract/webhooks.ts'
import { eventName } from '#web/features/webhooks/event-names.ts'
import { formatNumber } from '#web/lib/format.ts'
import { formatDateTime } from '#web/lib/format-time.ts'
import { infiniteQueryOf } from '#web/lib/queries.ts'
import { CopyableText, CopyValue } from '#web/ui/copy-value.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { LoadMore } from '#web/ui/load-more.tsx'
import { QueryState } from '#web/ui/query-state.tsx'
import { ListSkeleton } from '#web/ui/skeleton.tsx'
import { StatusBadge } from '#web/ui/status-badge.tsx'

/** How often the state and the log of a webhook endpoint are read again: attempts are made in the background. */
export const REFRESH_MS = 5_000

type Props = { endpointId: string; canReplay: boolean; onReplay: (delivery: WebhookDelivery) => void }

/** Renders the deliveries to a webhook endpoint with their attempts, newest first. */
export function DeliveryLog({ endpointId, canReplay, onReplay }: Props) {
  const query = useInfiniteQuery({
    ...infiniteQueryOf(webhookDeliveries, { params: { id: endpointId }, query: { limit: 20 } }),
    refetchInterval: REFRESH_MS,
  })
  const deliveries = query.data?.pages.flatMap((page) => page.reply)
  if (deliveries === undefined) return <QueryState query={query} skeleton={<ListSkeleton rows={4} />} />
  if (deliveries.length === 0)
    return (
      <EmptyState title={t`No deliveries in the last 30 days`}>
        {t`Send a test event to see how your system responds.`}
      </EmptyState>
    )
  return (
    <>
      <ul className="card divide-y divide-line px-5 sm:px-6">
        {deliveries.map((delivery) => (
          <li key={delivery._id} className="py-4">
            <Delivery delivery={delivery} canReplay={canReplay} onReplay={onReplay} />
          </li>
        ))}
      </ul>
      <LoadMore query={query} />
    </>
  )
}

function Delivery({
  delivery,
  canReplay,
  onReplay,
}: { delivery: WebhookDelivery } & Omit<Props, 'endpointId'>) {
  const [showsAttempts, setShowsAttempts] = useState(false)
  const { type, eventId, createdAt, nextAttemptAt, state, attempts } = delivery
  // The previous version of the server sends no payload.
  const { payload }: Partial<WebhookDelivery> = delivery
  const called = `${eventName(type)}, ${formatDateTime(createdAt)}`
  return (
    <>
      <div className="flex flex-wrap items-start justify-between gap-x-6 gap-y-3">
        <div className="min-w-0">
          <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
            <span className="font-nav wrap-anywhere">{eventName(type)}</span>
            <DeliveryState delivery={delivery} />
          </p>
          <p className="mt-1 flex flex-wrap gap-x-3 text-sm text-dim">
            {formatDateTime(createdAt)}
            <span className="text-xs">
              <CopyableText value={eventId} name={t`event ID of ${called}`} />
            </span>
          </p>
          {nextAttemptAt !== null && attempts.length > 0 && (
            <p className="mt-1 text-sm text-dim">{t`Next attempt ${{ time: formatDateTime(nextAttemptAt) }}`}</p>
          )}
        </div>
        <div className="flex flex-wrap gap-3">
          {attempts.length > 0 && (
            <Button
              variant="default"
              aria-label={showsAttempts ? t`Hide attempts of ${called}` : t`Show attempts of ${called}`}
              aria-expanded={showsAttempts}
              onClick={() => setShowsAttempts(!showsAttempts)}
            >
              {plural(attempts.length, { one: '# attempt', other: '# attempts' })}
            </Button>
          )}
          {canReplay && state !== 'pending' && (
            <Button variant="default" aria-label={t`Replay ${called}`} onClick={() => onReplay(delivery)}>
              {t`Replay`}
            </Button>
          )}
        </div>
      </div>
      {payload !== undefined && (
        <details className="mt-2 text-sm">
          <summary className="min-h-6 cursor-pointer font-nav" aria-label={t`Request body of ${called}`}>
            {t`Request body`}
          </summary>
          <Body>{JSON.stringify(JSON.parse(payload), null, 2)}</Body>
          <div className="mt-2">
            <CopyValue value={payload} name={t`request body of ${called}`} />
          </div>
        </details>
      )}
      {showsAttempts && (
        <ol className="mt-3 space-y-3">
          {attempts.map((attempt) => (
            <li key={attempt.at} className="border-t border-line pt-3 text-sm">
              <Attempt attempt={attempt} />
            </li>
          ))}
        </ol>
      )}
    </>
  )
}

function DeliveryState({ delivery: { state, attempts } }: { delivery: WebhookDelivery }) {
  if (state === 'delivered') return <StatusBadge tone="success">{t`Delivered`}</StatusBadge>
  if (state === 'failed') return <StatusBadge tone="error">{t`Failed`}</StatusBadge>
  return <StatusBadge tone="neutral">{attempts.length > 0 ? t`Retrying` : t`Waiting`}</StatusBadge>
}

function Attempt({ attempt: { at, status, error, body, durationMs } }: { attempt: WebhookAttempt }) {
  return (
    <>
      <p className="flex flex-wrap justify-between gap-x-4">
        <span className="wrap-anywhere">
          {error === null ? t`Response ${{ status: String(status) }}` : errorText(error)}
        </span>
        <span className="text-dim">{t`${{ time: formatDateTime(at) }}, ${{ duration: formatNumber(durationMs) }} ms`}</span>
      </p>
      {body !== '' && <Body>{body}</Body>}
    </>
  )
}

/** Returns why there was no response, in the user's language where the server knows it. */
function errorText(error: string): string {
  switch (error) {
    case WEBHOOK_ERRORS.timeout:
      return t`No response within ${{ seconds: formatNumber(WEBHOOK_TIMEOUT_SECONDS) }} seconds`
    case WEBHOOK_ERRORS.privateHost:
      return t`The host has no public IP address`
    case WEBHOOK_ERRORS.secret:
      return t`The secret cannot be read. Replace it.`
    case WEBHOOK_ERRORS.scheme:
      return t`The URL must start with https://`
    default:
      return error
  }
}

function Body({ children }: { children: string }) {
  return (
    <pre className="mt-2 max-h-60 overflow-auto rounded-md border border-line p-3 font-mono text-sm wrap-anywhere whitespace-pre-wrap">
      {children}
    </pre>
  )
}
