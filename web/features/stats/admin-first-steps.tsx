import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { usePrefetchQuery, useSuspenseQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { adminFirstSteps, adminStats } from '#contract/stats.ts'
import type { User } from '#contract/users.ts'
import { formatDateTime } from '#web/lib/format-time.ts'
import { queryOf } from '#web/lib/queries.ts'
import { CopyValue } from '#web/ui/copy-value.tsx'
import { FirstSteps } from './first-steps.tsx'

const BACKUP = 'npm run backup:scheduled -- /backups'

type Props = { user: User; below: ReactNode; children: ReactNode }

/**
 * Renders what a new marketplace still needs, with `below` as soon as somebody has registered; `children` instead when
 * everything is done or the steps were hidden.
 */
export function AdminFirstSteps({ user, below, children }: Props) {
  // Requested at once with the steps.
  usePrefetchQuery(queryOf(adminStats, {}))
  const { data: done } = useSuspenseQuery(queryOf(adminFirstSteps, {}))
  const { data: stats } = useSuspenseQuery(queryOf(adminStats, {}))
  const isEmpty = stats.totalWorker + stats.totalBuyer === 0
  const steps = [
    {
      name: t`Connect the card processor`,
      text: t`Set CARD_PROVIDER and the Stripe keys on the server. Until then, no real money is received.`,
      isDone: done.cardPayments,
      to: '/dashboard/system',
      action: t`Check the card processor`,
    },
    {
      name: t`Enter the seller's details`,
      text: t`Receipts print the name, address and tax number.`,
      isDone: done.seller,
      to: '/dashboard/settings#seller',
      action: t`Enter the seller`,
    },
    {
      name: t`Enter the exchange rate`,
      text: t`Payouts in taka need a current rate.`,
      isDone: done.exchangeRate,
      to: '/dashboard/exchange-rate',
      action: t`Enter the rate`,
    },
    {
      name: t`Add a second Admin`,
      text: t`They sign up as usual. You then change their role.`,
      isDone: done.secondAdmin,
      to: '/dashboard/manage-users',
      action: t`Manage users`,
    },
    {
      name: t`Decide which payouts need two Admins`,
      text: t`Large and first payouts are then checked by one and released by another.`,
      isDone: done.payoutRules,
      to: '/dashboard/settings#payout_rules',
      action: t`Set payout rules`,
    },
    {
      name: t`Make a backup`,
      text:
        done.backupAt === null ? (
          <>
            <Trans>
              Run this on the server, every day:{' '}
              <code className="rounded-control bg-canvas px-1.5 py-0.5 text-ink wrap-anywhere">{BACKUP}</code>
            </Trans>{' '}
            <CopyValue value={BACKUP} name={t`the command`} />
          </>
        ) : (
          t`The last one was made on ${{ time: formatDateTime(done.backupAt) }}.`
        ),
      isDone: done.backupAt !== null,
    },
  ]
  if (steps.every(({ isDone }) => isDone)) return children
  return (
    <FirstSteps userId={user._id} steps={steps} whenHidden={children}>
      {!isEmpty && below}
    </FirstSteps>
  )
}
