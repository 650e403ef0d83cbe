import { t } from '@lingui/core/macro'
import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { type ApiKey, apiKeyUses } from '#contract/api-keys.ts'
import { scopeList } from '#web/features/api-keys/scope-names.ts'
import { errorMessage } from '#web/lib/api.ts'
import { formatDateTime } from '#web/lib/format-time.ts'
import { queryOf } from '#web/lib/queries.ts'
import { CopyableText } from '#web/ui/copy-value.tsx'
import { StatusBadge } from '#web/ui/status-badge.tsx'

type Props = { keys: ApiKey[]; onRevoke: (key: ApiKey) => void }

/** Renders the user's API keys with their state and use, and a button to revoke each. */
export function ApiKeyList({ keys, onRevoke }: Props) {
  return (
    <ul className="card divide-y divide-line px-5 sm:px-6">
      {keys.map((key) => (
        <li key={key._id} className="py-4">
          <ApiKeyItem apiKey={key} onRevoke={onRevoke} />
        </li>
      ))}
    </ul>
  )
}

/** Returns whether a key has neither been revoked nor expired. */
export function isLive({ revokedAt, expiresAt }: ApiKey): boolean {
  return revokedAt === null && Date.parse(expiresAt) > Date.now()
}

function ApiKeyItem({ apiKey, onRevoke }: { apiKey: ApiKey; onRevoke: Props['onRevoke'] }) {
  const [showsUses, setShowsUses] = useState(false)
  const { _id, name, prefix, scopes, networks, lastUsedAt, lastUsedNetwork } = apiKey
  return (
    <>
      <div className="flex flex-wrap items-start justify-between gap-x-6 gap-y-3">
        <div className="min-w-0">
          <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
            <span className="font-nav wrap-anywhere">{name}</span>
            <span className="font-mono text-sm">{prefix}…</span>
            <KeyState apiKey={apiKey} />
          </p>
          <p className="mt-1 text-sm text-dim">
            {t`Key id`} <CopyableText value={_id} name={t`the id of ${name}`} />
          </p>
          <p className="mt-1 text-sm wrap-anywhere text-dim">{t`Scopes: ${{ scopes: scopeList(scopes) }}`}</p>
          {networks.length > 0 && (
            <p className="mt-1 text-sm wrap-anywhere text-dim">{t`Only from ${{ networks: networks.join(', ') }}`}</p>
          )}
          <p className="mt-1 text-sm wrap-anywhere text-dim">
            {lastUsedAt === null
              ? t`Never used`
              : lastUsedNetwork === null
                ? t`Last used ${{ time: formatDateTime(lastUsedAt) }} from an unknown network`
                : t`Last used ${{ time: formatDateTime(lastUsedAt) }} from ${lastUsedNetwork}`}
          </p>
        </div>
        <div className="flex flex-wrap gap-3">
          <Button
            variant="default"
            aria-label={showsUses ? t`Hide activity of ${name}` : t`Show activity of ${name}`}
            aria-expanded={showsUses}
            onClick={() => setShowsUses(!showsUses)}
          >
            {t`Activity`}
          </Button>
          {isLive(apiKey) && (
            <Button variant="default" aria-label={t`Revoke ${name}`} onClick={() => onRevoke(apiKey)}>
              {t`Revoke`}
            </Button>
          )}
        </div>
      </div>
      {showsUses && <Uses id={apiKey._id} />}
    </>
  )
}

function KeyState({ apiKey }: { apiKey: ApiKey }) {
  if (apiKey.revokedAt !== null) return <StatusBadge tone="neutral">{t`Revoked`}</StatusBadge>
  if (!isLive(apiKey)) return <StatusBadge tone="neutral">{t`Expired`}</StatusBadge>
  return (
    <StatusBadge tone="success">{t`Active until ${{ expiresAt: formatDateTime(apiKey.expiresAt) }}`}</StatusBadge>
  )
}

/** Renders the latest requests of a key. */
function Uses({ id }: { id: string }) {
  const { data, error } = useQuery(queryOf(apiKeyUses, { params: { id } }))
  if (error !== null)
    return (
      <p role="alert" className="mt-3 text-sm text-danger">
        {errorMessage(error)}
      </p>
    )
  if (data === undefined) return <p className="mt-3 text-sm text-dim">{t`Loading…`}</p>
  if (data.length === 0) return <p className="mt-3 text-sm text-dim">{t`No requests in the last 30 days.`}</p>
  return (
    <ul className="mt-3 space-y-1 text-sm">
      {data.map(({ minute, operation, status, requests, network }) => (
        <li
          key={`${minute} ${operation} ${status}`}
          className="flex flex-wrap justify-between gap-x-4 border-t border-line pt-1"
        >
          <span className="min-w-0 font-mono wrap-anywhere">
            {operation} {status}
            {requests > 1 && ` × ${requests}`}
          </span>
          <span className="text-dim">
            {formatDateTime(minute)}, {network}
          </span>
        </li>
      ))}
    </ul>
  )
}
