import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useSuspenseQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { listFreezes } from '#contract/freezes.ts'
import { UserLink } from '#web/features/users/user-link.tsx'
import { formatCoins } from '#web/lib/format.ts'
import { formatDateTime } from '#web/lib/format-time.ts'
import { queryOf } from '#web/lib/queries.ts'
import { StatusBadge } from '#web/ui/status-badge.tsx'
import { Section } from './section.tsx'

/** Returns the query of a user's latest freezes, which their page requests at once. */
export const freezesOf = (user: string) => queryOf(listFreezes, { query: { user, limit: 20 } })

/** Renders the latest freezes of a user and of their requests, with their responses. Renders nothing without any. */
export function Freezes({ user }: { user: string }) {
  const { data: freezes } = useSuspenseQuery(freezesOf(user))
  if (freezes.length === 0) return null
  return (
    <Section title={t`Freezes`}>
      <ul className="divide-y divide-line text-sm">
        {freezes.map((freeze) => (
          <li key={freeze._id} className="flex flex-wrap items-center justify-between gap-2 py-2">
            <span className="min-w-0 flex-1 basis-40">
              {freeze.coins === null ? t`Account` : t`Withdrawal of ${{ coins: formatCoins(freeze.coins) }}`}
              <span className="block text-xs text-dim">
                {freeze.endedAt === null
                  ? formatDateTime(freeze.frozenAt)
                  : t`${{ from: formatDateTime(freeze.frozenAt) }} to ${{ to: formatDateTime(freeze.endedAt) }}`}
                {freeze.frozenBy !== null && (
                  <>
                    ,{' '}
                    <Trans>
                      frozen by <UserLink id={freeze.frozenById} name={freeze.frozenBy} />
                    </Trans>
                  </>
                )}
              </span>
              <span className="block wrap-anywhere">{freeze.reason}</span>
              {freeze.response !== null && (
                <span className="block wrap-anywhere">{t`Response: ${{ text: freeze.response }}`}</span>
              )}
              {freeze.endReason !== '' && (
                <span className="block wrap-anywhere">{t`Ended: ${{ reason: freeze.endReason }}`}</span>
              )}
            </span>
            {freeze.endedAt === null ? (
              <Link to="/dashboard/freezes" className="link">
                {t`Frozen`}
              </Link>
            ) : (
              <StatusBadge tone="neutral">{t`Ended`}</StatusBadge>
            )}
          </li>
        ))}
      </ul>
    </Section>
  )
}
