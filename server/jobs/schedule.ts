import type { Services } from '#server/http/context.ts'
import { cleanIdentity } from '#server/identity/purge-expired.ts'
import { openImageStore } from '#server/images/open-store.ts'
import { cleanImages } from '#server/images/purge-unused.ts'
import { auditAndRemember } from '#server/ledger/last-audit.ts'
import { settleLedgerSums } from '#server/ledger/transfer-totals.ts'
import { cleanLiveEvents } from '#server/notifications/relay.ts'
import { paymentJobs } from '#server/payments/jobs.ts'
import { approveDueSubmissions } from '#server/submissions/auto-approve.ts'
import { warnDueReviews } from '#server/submissions/review-reminder.ts'
import { closeDueTasks } from '#server/tasks/expire.ts'
import { cleanIdempotencyKeys } from './purge-idempotency-keys.ts'

/** Something that is done again and again, `every` so many seconds, by one instance at a time. */
export type TimedJob = { name: string; every: number; run(services: Services): Promise<unknown> }

const HOUR = 3600

/** All that happens by the clock. What a run answers is kept with it for the Admin to see. */
export const TIMED_JOBS: readonly TimedJob[] = [
  { name: 'close-due-tasks', every: 15, run: ({ database }) => closeDueTasks(database) },
  { name: 'approve-due-submissions', every: 15, run: ({ database }) => approveDueSubmissions(database) },
  { name: 'warn-due-reviews', every: 60, run: ({ database }) => warnDueReviews(database) },
  { name: 'settle-ledger-sums', every: 60, run: ({ database }) => settleLedgerSums(database) },
  { name: 'audit', every: 900, run: ({ database }) => auditAndRemember(database) },
  { name: 'clean-live-events', every: 600, run: ({ database }) => cleanLiveEvents(database) },
  { name: 'clean-idempotency-keys', every: HOUR, run: ({ database }) => cleanIdempotencyKeys(database) },
  { name: 'clean-identity', every: HOUR, run: ({ database }) => cleanIdentity(database) },
  {
    name: 'clean-images',
    every: HOUR,
    run: ({ database, config }) => cleanImages(database, openImageStore(config.images, config.publicUrl)),
  },
  ...paymentJobs,
]
