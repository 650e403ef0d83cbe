import { t } from '@lingui/core/macro'
import type { WebhookEndpoint } from '#contract/webhooks.ts'
import { StatusBadge } from '#web/ui/status-badge.tsx'

/** Renders the state of a webhook endpoint. */
export function WebhookState({ endpoint }: { endpoint: WebhookEndpoint }) {
  const { state, pausedBecause, failingSince } = endpoint
  if (state === 'ended') return <StatusBadge tone="neutral">{t`Ended`}</StatusBadge>
  if (state === 'paused')
    return pausedBecause === 'failures' ? (
      <StatusBadge tone="error">{t`Paused after failures`}</StatusBadge>
    ) : (
      <StatusBadge tone="neutral">{t`Paused`}</StatusBadge>
    )
  if (failingSince !== null) return <StatusBadge tone="error">{t`Failing`}</StatusBadge>
  return <StatusBadge tone="success">{t`Active`}</StatusBadge>
}
