import type { PartOf, Role } from '#contract/endpoint.ts'
import type { deletionPreview } from '#contract/manage-users.ts'
import { formatCoins, pluralize } from '#web/lib/format.ts'

export const ROLE_CHANGE_EFFECTS: Record<Role, string> = {
  Admin: 'They get full admin access, except to their own role and account.',
  Buyer: 'They can post and review tasks. They keep their coins.',
  Worker: 'They can complete tasks and withdraw coins. They keep their coins.',
}

/** Returns the consequences in numbers (docs/specification/users.md); those that do not apply are omitted. */
export function deletionEffects(preview: PartOf<typeof deletionPreview, 'reply'>): string[] {
  const { tasksClosed, reservationsCancelled, submissionsPaid, coinsPaid, slotsReleased } = preview
  const { withdrawalsCancelled, coinsSwept } = preview
  const lines = [
    tasksClosed > 0 && `${pluralize(tasksClosed, 'task')} will be closed`,
    reservationsCancelled > 0 &&
      `${pluralize(reservationsCancelled, 'reservation')} of slots on their tasks will be cancelled`,
    submissionsPaid > 0 &&
      `${pluralize(submissionsPaid, 'pending submission')} on their tasks will be approved: ${formatCoins(coinsPaid)} to workers`,
    slotsReleased > 0 &&
      `${pluralize(slotsReleased, 'slot')} held by their own work and reservations will be released`,
    withdrawalsCancelled > 0 && `${pluralize(withdrawalsCancelled, 'pending withdrawal')} will be cancelled`,
    coinsSwept > 0
      ? `the remaining ${formatCoins(coinsSwept)} will go to the platform account`
      : 'no coins remain to go to the platform account',
  ]
  return lines.filter((line) => line !== false)
}
