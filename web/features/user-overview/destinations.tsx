import { t } from '@lingui/core/macro'
import type { UserOverview } from '#contract/user-overview.ts'
import { PAYMENT_SYSTEM_NAMES } from '#web/lib/format.ts'
import { formatDateTime } from '#web/lib/format-time.ts'
import { StatusBadge } from '#web/ui/status-badge.tsx'
import { SearchLink } from './search-link.tsx'
import { Section } from './section.tsx'

/** Renders the accounts to which a user was or is paid. */
export function Destinations({ destinations }: { destinations: UserOverview['destinations'] }) {
  return (
    <Section title={t`Payout destinations`} empty={destinations.length === 0 && t`None used yet.`}>
      <ul className="divide-y divide-line text-sm">
        {destinations.map((one) => (
          <li
            key={`${one.system} ${one.accountNumber}`}
            className="flex flex-wrap justify-between gap-2 py-2"
          >
            <span className="wrap-anywhere">
              {PAYMENT_SYSTEM_NAMES[one.system]} <SearchLink value={one.accountNumber} />
              {one.holderName !== '' && <span className="block text-dim">{one.holderName}</span>}
            </span>
            <span className="flex items-center gap-2">
              {one.isVerified && <StatusBadge tone="success">{t`Verified`}</StatusBadge>}
              {one.isRemoved && <StatusBadge tone="neutral">{t`Removed`}</StatusBadge>}
              <span className="text-xs text-dim">{t`since ${{ firstUsedAt: formatDateTime(one.firstUsedAt) }}`}</span>
            </span>
          </li>
        ))}
      </ul>
    </Section>
  )
}
