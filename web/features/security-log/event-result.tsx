import { t } from '@lingui/core/macro'
import type { AccountEvent } from '#contract/security-log.ts'
import { StatusBadge } from '#web/ui/status-badge.tsx'

/** Renders the result of a security event. */
export function EventResult({ result }: Pick<AccountEvent, 'result'>) {
  return result === 'success' ? (
    <StatusBadge tone="success">{t`Success`}</StatusBadge>
  ) : (
    <StatusBadge tone="error">{t`Failure`}</StatusBadge>
  )
}
