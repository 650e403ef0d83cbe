import { useSuspenseQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { adminFirstSteps, adminStats } from '#contract/stats.ts'
import type { User } from '#contract/users.ts'
import { formatDateTime } from '#web/lib/format-time.ts'
import { queryOf } from '#web/lib/queries.ts'
import { CopyValue } from '#web/ui/copy-value.tsx'
import { FirstSteps } from './first-steps.tsx'

const BACKUP = 'npm run backup -- /backups/FOLDER'

/**
 * Renders what a new marketplace still needs, above the statistics; instead of them while nobody has registered. It
 * disappears when everything is done.
 */
export function AdminFirstSteps({ user, children }: { user: User; children: ReactNode }) {
  const { data: done } = useSuspenseQuery(queryOf(adminFirstSteps, {}))
  const { data: stats } = useSuspenseQuery(queryOf(adminStats, {}))
  const isEmpty = stats.totalWorker + stats.totalBuyer === 0
  const steps = [
    {
      name: 'Connect the card processor',
      text: 'CARD_PROVIDER and the keys of Stripe are settings of the server. Until then no real money is received.',
      isDone: done.cardPayments,
      to: '/dashboard/system',
      action: 'Check the card processor',
    },
    {
      name: "Enter the seller's details",
      text: 'Receipts print the name, address and tax number.',
      isDone: done.seller,
      to: '/dashboard/settings#seller',
      action: 'Enter the seller',
    },
    {
      name: 'Enter the exchange rate',
      text: 'Payouts in taka need a current rate.',
      isDone: done.exchangeRate,
      to: '/dashboard/exchange-rate',
      action: 'Enter the rate',
    },
    {
      name: 'Add a second Admin',
      text: 'They register as usual, and you change their role.',
      isDone: done.secondAdmin,
      to: '/dashboard/manage-users',
      action: 'Manage users',
    },
    {
      name: 'Decide which payouts need two Admins',
      text: 'Large and first payouts are then checked by one and released by another.',
      isDone: done.payoutRules,
      to: '/dashboard/settings#payout_rules',
      action: 'Set payout rules',
    },
    {
      name: 'Make a backup',
      text:
        done.backupAt === null ? (
          <>
            Run this on the server, every day:{' '}
            <code className="rounded-control bg-canvas px-1.5 py-0.5 text-ink wrap-anywhere">{BACKUP}</code>{' '}
            <CopyValue value={BACKUP} name="the command" />
          </>
        ) : (
          `The last one was made on ${formatDateTime(done.backupAt)}.`
        ),
      isDone: done.backupAt !== null,
    },
  ]
  if (steps.every(({ isDone }) => isDone)) return children
  return (
    <FirstSteps email={user.email} steps={steps} whenHidden={children}>
      {!isEmpty && children}
    </FirstSteps>
  )
}
