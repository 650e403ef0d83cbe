import { plural, t } from '@lingui/core/macro'
import type { PartOf, Role } from '#contract/endpoint.ts'
import type { deletionPreview } from '#contract/manage-users.ts'
import { formatCoins } from '#web/lib/format.ts'

export const ROLE_CHANGE_EFFECTS: Record<Role, string> = {
  Admin: t`They get full admin access, except to their own role and account.`,
  Buyer: t`They can post and review tasks. They keep their coins.`,
  Worker: t`They can complete tasks and withdraw coins. They keep their coins.`,
}

/** Returns the consequences in numbers (docs/specification/users.md); those that do not apply are omitted. */
export function deletionEffects(preview: PartOf<typeof deletionPreview, 'reply'>): string[] {
  const { tasksClosed, reservationsCancelled, submissionsPaid, coinsPaid, slotsReleased } = preview
  const { withdrawalsCancelled, coinsSwept } = preview
  const lines = [
    tasksClosed > 0 && plural(tasksClosed, { one: '# task will be closed', other: '# tasks will be closed' }),
    reservationsCancelled > 0 &&
      plural(reservationsCancelled, {
        one: '# reservation of slots on their tasks will be cancelled',
        other: '# reservations of slots on their tasks will be cancelled',
      }),
    submissionsPaid > 0 && paidEffect(submissionsPaid, formatCoins(coinsPaid)),
    slotsReleased > 0 &&
      plural(slotsReleased, {
        one: '# slot held by their own work and reservations will be released',
        other: '# slots held by their own work and reservations will be released',
      }),
    withdrawalsCancelled > 0 &&
      plural(withdrawalsCancelled, {
        one: '# pending withdrawal will be cancelled',
        other: '# pending withdrawals will be cancelled',
      }),
    coinsSwept > 0
      ? t`the remaining ${{ coins: formatCoins(coinsSwept) }} will go to the platform account`
      : t`no coins remain to go to the platform account`,
  ]
  return lines.filter((line) => line !== false)
}

function paidEffect(submissions: number, coins: string): string {
  return plural(submissions, {
    one: `# pending submission on their tasks will be approved: ${coins} to workers`,
    other: `# pending submissions on their tasks will be approved: ${coins} to workers`,
  })
}
