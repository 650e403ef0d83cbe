import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { type ApiKey, apiKeyUses } from '#contract/api-keys.ts'
import { scopeList } from '#web/features/api-keys/scope-names.ts'
import { errorMessage } from '#web/lib/api.ts'
import { formatDateTime } from '#web/lib/format-time.ts'
import { queryOf } from '#web/lib/queries.ts'
import { CopyableText } from '#web/ui/copy-value.tsx'
import { StatList, StatRow } from '#web/ui/stat-list.tsx'

/** Renders everything about an API key, and its latest requests. */
export function ApiKeyDetails({ apiKey }: { apiKey: ApiKey }) {
  const { _id, name, scopes, networks, createdAt, expiresAt, revokedAt } = apiKey
  return (
    <div className="space-y-5">
      <StatList>
        <StatRow name={t`Key id`}>
          <CopyableText value={_id} name={t`the id of ${name}`} />
        </StatRow>
        <StatRow name={t`Scopes`}>{scopeList(scopes)}</StatRow>
        <StatRow name={t`Allowed networks`}>
          <span className="wrap-anywhere">{networks.length > 0 ? networks.join(', ') : t`Any`}</span>
        </StatRow>
        <StatRow name={t`Created`}>{formatDateTime(createdAt)}</StatRow>
        {revokedAt === null ? (
          <StatRow name={t`Expires`}>{formatDateTime(expiresAt)}</StatRow>
        ) : (
          <StatRow name={t`Revoked`}>{formatDateTime(revokedAt)}</StatRow>
        )}
      </StatList>
      <section aria-labelledby="key-uses">
        <h3 id="key-uses" className="text-base">{t`Latest requests`}</h3>
        <Uses id={_id} />
      </section>
    </div>
  )
}

function Uses({ id }: { id: string }) {
  const { data, error } = useQuery({ ...queryOf(apiKeyUses, { params: { id } }), staleTime: 0 })
  if (error !== null)
    return (
      <p role="alert" className="mt-2 text-sm text-danger">
        {errorMessage(error)}
      </p>
    )
  if (data === undefined) return <p className="mt-2 text-sm text-dim">{t`Loading…`}</p>
  if (data.length === 0) return <p className="mt-2 text-sm text-dim">{t`No requests in the last 30 days.`}</p>
  return (
    <ul className="mt-2 space-y-1 text-sm">
      {data.map(({ minute, operation, status, requests, network }) => (
        <li key={`${minute} ${operation} ${status}`} className="border-t border-line pt-1">
          <span className="block font-mono wrap-anywhere">
            {operation} {status}
            {requests > 1 && ` × ${requests}`}
          </span>
          <span className="block text-dim">
            {formatDateTime(minute)}, {network}
          </span>
        </li>
      ))}
    </ul>
  )
}
