import type { UserOverview } from '#contract/user-overview.ts'
import { formatCents, formatCoins, formatNumber } from '#web/lib/format.ts'
import { formatDateTime, formatTimeAgo } from '#web/lib/format-time.ts'
import { Avatar } from '#web/ui/avatar.tsx'
import { CopyableText } from '#web/ui/copy-value.tsx'
import { StatList, StatRow } from '#web/ui/stat-list.tsx'
import { StatusBadge } from '#web/ui/status-badge.tsx'
import { Section } from './section.tsx'

/** Renders who a user is, and their totals. */
export function Summary({ overview: { user, totals } }: { overview: UserOverview }) {
  return (
    <Section title="Summary">
      <div className="mb-3 flex flex-wrap items-center gap-3">
        <Avatar name={user.name} image={user.image} size={56} />
        <p className="text-sm text-dim">
          Joined {formatDateTime(user.joinedAt)}
          <br />
          {user.lastSeenAt === null ? 'Never signed in' : `Last seen ${formatTimeAgo(user.lastSeenAt)}`}
        </p>
        <span className="ml-auto flex flex-wrap gap-2">
          <StatusBadge tone="neutral">{user.role}</StatusBadge>
          {user.isReviewer && <StatusBadge tone="neutral">Reviewer</StatusBadge>}
          {user.isFrozen && <StatusBadge tone="error">Frozen</StatusBadge>}
          {user.deletedAt !== null && <StatusBadge tone="error">Deleted</StatusBadge>}
        </span>
      </div>
      <StatList>
        <StatRow name="User id">
          <CopyableText value={user._id} name="user id" />
        </StatRow>
        <StatRow name="Balance" strong>
          {formatCoins(totals.coins)}
        </StatRow>
        {totals.debt > 0 && <StatRow name="Debt">{formatCoins(totals.debt)}</StatRow>}
        <StatRow name="On hold for withdrawals">{formatCoins(totals.coinsOnHold)}</StatRow>
        <StatRow name="In escrow of tasks">{formatCoins(totals.coinsInEscrow)}</StatRow>
        <StatRow name="Paid by card">{formatCents(totals.paidInCents)}</StatRow>
        <StatRow name="Refunded or disputed">{formatCents(totals.returnedCents)}</StatRow>
        <StatRow name="Paid out">{formatCents(totals.paidOutCents)}</StatRow>
        <StatRow name="Requested">{formatCents(totals.requestedCents)}</StatRow>
        <StatRow name="Tasks posted">{formatNumber(totals.tasks)}</StatRow>
        <StatRow name="Work approved, rejected, pending">
          {formatNumber(totals.approved)}, {formatNumber(totals.rejected)}, {formatNumber(totals.pending)}
        </StatRow>
        <StatRow name="Appeals by the user, against the user">
          {formatNumber(totals.appeals)}, {formatNumber(totals.appealsAgainst)}
        </StatRow>
      </StatList>
    </Section>
  )
}
