import { t } from '@lingui/core/macro'
import type { UserOverview } from '#contract/user-overview.ts'
import { WithdrawalStatusBadge } from '#web/features/withdrawals/withdrawal-status.tsx'
import { formatCents, formatNumber, PAYMENT_SYSTEM_NAMES } from '#web/lib/format.ts'
import { formatDateTime } from '#web/lib/format-time.ts'
import { CopyableText } from '#web/ui/copy-value.tsx'
import { Section } from './section.tsx'

/** Renders a user's latest withdrawal requests. */
export function Withdrawals({ withdrawals }: { withdrawals: UserOverview['withdrawals'] }) {
  return (
    <Section title={t`Withdrawals`} empty={withdrawals.length === 0 && t`None requested.`}>
      <ul className="divide-y divide-line text-sm">
        {withdrawals.map((one) => (
          <li key={one._id} className="flex flex-wrap items-center justify-between gap-2 py-2">
            <span className="min-w-0">
              <span className="block">
                <span className="font-number">{formatCents(one.cents)}</span> ·{' '}
                {PAYMENT_SYSTEM_NAMES[one.system]}
              </span>
              <CopyableText value={one.accountNumber} name={t`account number`} />
              <span className="block text-xs text-dim">
                {formatDateTime(one.createdAt)}
                {one.score !== null && <>, {t`risk ${{ score: formatNumber(one.score) }} of 100`}</>}
              </span>
            </span>
            <WithdrawalStatusBadge status={one.status} />
          </li>
        ))}
      </ul>
    </Section>
  )
}
