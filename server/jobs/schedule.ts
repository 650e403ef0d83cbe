import type { Context } from '#server/context.ts'
import { purgeIdempotencyKeys, purgeRateLimits } from '#server/http/purge-expired.ts'
import { purgeExpiredIdentityRows } from '#server/identity/purge-expired.ts'
import { openImageStore } from '#server/images/open-store.ts'
import { purgeUnusedImages } from '#server/images/purge-unused.ts'
import { auditAndStore } from '#server/ledger/last-audit.ts'
import { updateTransferTotals } from '#server/ledger/transfer-totals.ts'
import { purgeLiveEvents } from '#server/notifications/relay.ts'
import { paymentJobs } from '#server/payments/jobs.ts'
import { approveDueSubmissions } from '#server/submissions/auto-approve.ts'
import { sendReviewReminders } from '#server/submissions/review-reminder.ts'
import { closeDueTasks } from '#server/tasks/expire.ts'

/** Something that is done again and again, `every` so many seconds, by one instance at a time. */
export type ScheduledJob = { name: string; every: number; run(context: Context): Promise<unknown> }

const HOUR = 3600

/** All that happens by the clock. What a run answers is kept with it for the Admin to see. */
export const SCHEDULED_JOBS: readonly ScheduledJob[] = [
  { name: 'close-due-tasks', every: 15, run: ({ database }) => closeDueTasks(database) },
  { name: 'approve-due-submissions', every: 15, run: ({ database }) => approveDueSubmissions(database) },
  { name: 'warn-due-reviews', every: 60, run: ({ database }) => sendReviewReminders(database) },
  { name: 'settle-ledger-sums', every: 60, run: ({ database }) => updateTransferTotals(database) },
  { name: 'audit', every: 900, run: ({ database }) => auditAndStore(database) },
  { name: 'clean-live-events', every: 600, run: ({ database }) => purgeLiveEvents(database) },
  { name: 'clean-idempotency-keys', every: HOUR, run: ({ database }) => purgeIdempotencyKeys(database) },
  { name: 'clean-rate-limits', every: HOUR, run: ({ database }) => purgeRateLimits(database) },
  { name: 'clean-identity', every: HOUR, run: ({ database }) => purgeExpiredIdentityRows(database) },
  {
    name: 'clean-images',
    every: HOUR,
    run: ({ database, config }) =>
      purgeUnusedImages(database, openImageStore(config.images, config.publicUrl)),
  },
  ...paymentJobs,
]
