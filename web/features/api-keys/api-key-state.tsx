import { t } from '@lingui/core/macro'
import type { ApiKey } from '#contract/api-keys.ts'
import { formatDay, formatTimeAgo, localDay } from '#web/lib/format-time.ts'
import { StatusBadge } from '#web/ui/status-badge.tsx'

/** The time before the end of a key in which its user should replace it. */
const EXPIRES_SOON_MS = 14 * 86_400_000

/** Returns whether a key has neither been revoked nor expired. */
export function isLive({ revokedAt, expiresAt }: ApiKey): boolean {
  return revokedAt === null && Date.parse(expiresAt) > Date.now()
}

/** Renders the state of a key with the day on which it ends or ended. */
export function ApiKeyState({ apiKey }: { apiKey: ApiKey }) {
  const { tone, word, detail } = stateOf(apiKey)
  return (
    <span className="inline-block">
      <StatusBadge tone={tone}>{word}</StatusBadge>
      <span className="mt-0.5 block text-xs whitespace-nowrap text-dim">{detail}</span>
    </span>
  )
}

function stateOf(apiKey: ApiKey) {
  const { revokedAt, expiresAt } = apiKey
  if (revokedAt !== null)
    return { tone: 'neutral', word: t`Revoked`, detail: formatDay(localDay(revokedAt)) } as const
  const day = formatDay(localDay(expiresAt))
  if (!isLive(apiKey)) return { tone: 'neutral', word: t`Expired`, detail: day } as const
  if (Date.parse(expiresAt) - Date.now() < EXPIRES_SOON_MS)
    return {
      tone: 'warning',
      word: t`Expires ${{ time: formatTimeAgo(expiresAt) }}`,
      detail: t`until ${{ day }}`,
    } as const
  return { tone: 'success', word: t`Active`, detail: t`until ${{ day }}` } as const
}
