import { t } from '@lingui/core/macro'
import type { UserOverview } from '#contract/user-overview.ts'
import { formatCents, formatCoins, formatNumber } from '#web/lib/format.ts'
import { formatDateTime, formatTimeAgo } from '#web/lib/format-time.ts'
import { ROLE_NAMES } from '#web/lib/role-names.ts'
import { Avatar } from '#web/ui/avatar.tsx'
import { CopyableText } from '#web/ui/copy-value.tsx'
import { StatList, StatRow } from '#web/ui/stat-list.tsx'
import { StatusBadge } from '#web/ui/status-badge.tsx'
import { Section } from './section.tsx'

/** Renders who a user is, and their totals. */
export function Summary({ overview: { user, totals } }: { overview: UserOverview }) {
  return (
    <Section title={t`Summary`}>
      <div className="mb-3 flex flex-wrap items-center gap-3">
        <Avatar name={user.name} image={user.image} size={56} />
        <p className="text-sm text-dim">
          {t`Joined ${{ joinedAt: formatDateTime(user.joinedAt) }}`}
          <br />
          {user.lastSeenAt === null
            ? t`Never signed in`
            : t`Last seen ${{ lastSeenAt: formatTimeAgo(user.lastSeenAt) }}`}
        </p>
        <span className="ml-auto flex flex-wrap gap-2">
          <StatusBadge tone="neutral">{ROLE_NAMES[user.role]}</StatusBadge>
          {user.isReviewer && <StatusBadge tone="neutral">{t`Reviewer`}</StatusBadge>}
          {user.isFrozen && <StatusBadge tone="error">{t`Frozen`}</StatusBadge>}
          {user.deletedAt !== null && <StatusBadge tone="error">{t`Deleted`}</StatusBadge>}
        </span>
      </div>
      <StatList>
        <StatRow name={t`User ID`}>
          <CopyableText value={user._id} name={t`user ID`} />
        </StatRow>
        <StatRow name={t`Balance`} strong>
          {formatCoins(totals.coins)}
        </StatRow>
        {totals.debt > 0 && <StatRow name={t`Debt`}>{formatCoins(totals.debt)}</StatRow>}
        <StatRow name={t`On hold for withdrawals`}>{formatCoins(totals.coinsOnHold)}</StatRow>
        <StatRow name={t`In escrow of tasks`}>{formatCoins(totals.coinsInEscrow)}</StatRow>
        <StatRow name={t`Paid by card`}>{formatCents(totals.paidInCents)}</StatRow>
        <StatRow name={t`Refunded or disputed`}>{formatCents(totals.returnedCents)}</StatRow>
        <StatRow name={t`Paid out`}>{formatCents(totals.paidOutCents)}</StatRow>
        <StatRow name={t`Requested`}>{formatCents(totals.requestedCents)}</StatRow>
        <StatRow name={t`Tasks posted`}>{formatNumber(totals.tasks)}</StatRow>
        <StatRow name={t`Work approved, rejected, pending`}>
          {formatNumber(totals.approved)}, {formatNumber(totals.rejected)}, {formatNumber(totals.pending)}
        </StatRow>
        <StatRow name={t`Appeals by the user, against the user`}>
          {formatNumber(totals.appeals)}, {formatNumber(totals.appealsAgainst)}
        </StatRow>
      </StatList>
    </Section>
  )
}
