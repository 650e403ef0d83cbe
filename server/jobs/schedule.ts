import { purgeApiKeyUses } from '#server/api-keys/uses.ts'
import { assignReviews, sendReviewerReminders, settleDueAppeals } from '#server/appeals/settle-due.ts'
import { checkDueBatches, purgeUnpaidBatches } from '#server/batches/check.ts'
import { checkDuePictures } from '#server/batches/check-pictures.ts'
import { computeDueAgreements } from '#server/batches/compute-agreement.ts'
import { fundDueBatches } from '#server/batches/fund.ts'
import { announceBatchProgress } from '#server/batches/progress.ts'
import { fundScheduledBatches } from '#server/batches/scheduled.ts'
import { raiseToppedUpItems } from '#server/batches/top-up.ts'
import type { Context } from '#server/context.ts'
import { purgeIdempotencyKeys, purgeRateLimits, purgeRecentWrites } from '#server/http/purge-expired.ts'
import { purgeExpiredIdentityRows } from '#server/identity/purge-expired.ts'
import { createPictureCheck } from '#server/images/check-picture.ts'
import { purgeForeignPictures } from '#server/images/foreign-pictures.ts'
import { openImageStore } from '#server/images/open-store.ts'
import { purgeUnusedImages } from '#server/images/purge-unused.ts'
import { purgeUploads } from '#server/images/uploads.ts'
import { auditAndStore } from '#server/ledger/last-audit.ts'
import { updateTransferTotals } from '#server/ledger/transfer-totals.ts'
import { sampleSizes } from '#server/monitoring/sizes.ts'
import { purgeApiEvents, purgeLiveEvents } from '#server/notifications/relay.ts'
import { settleProposals } from '#server/operator-settings/queries.ts'
import { paymentJobs } from '#server/payments/jobs.ts'
import { payoutProvider, queryPayouts, sendPayouts } from '#server/payouts/send.ts'
import { purgePushSubscriptions } from '#server/push/subscriptions.ts'
import { updateRecords } from '#server/records/update.ts'
import { assessNewRequests } from '#server/risk/assess-new.ts'
import { purgeSecurityLog } from '#server/security-log/purge.ts'
import { sendDeadlineReminders, sendReviewReminders } from '#server/submissions/review-reminder.ts'
import { settleDueSubmissions } from '#server/submissions/settle-due.ts'
import { closeDueTasks } from '#server/tasks/close-due.ts'
import { lapseDueReservations } from '#server/tasks/lapse-reservations.ts'
import { postDueDrafts } from '#server/tasks/post-due-drafts.ts'
import { purgeSearchTerms } from '#server/tasks/purge-search-terms.ts'
import { purgeTaskViewers } from '#server/tasks/record-views.ts'
import { purgeWebhookDeliveries } from '#server/webhooks/deliver.ts'

/** A recurring job: runs every `every` seconds, on one instance at a time. */
export type ScheduledJob = { name: string; every: number; run(context: Context): Promise<unknown> }

const HOUR = 3600

/** The recurring jobs. The result of a run is stored with its job, where Admins see it. */
export const SCHEDULED_JOBS: readonly ScheduledJob[] = [
  { name: 'close-due-tasks', every: 15, run: ({ database }) => closeDueTasks(database) },
  { name: 'post-due-drafts', every: 15, run: ({ database, config }) => postDueDrafts(database, config) },
  { name: 'lapse-reservations', every: 15, run: ({ database }) => lapseDueReservations(database) },
  {
    name: 'settle-due-submissions',
    every: 15,
    run: ({ database, config }) => settleDueSubmissions(database, config),
  },
  { name: 'settle-due-appeals', every: 15, run: ({ database }) => settleDueAppeals(database) },
  { name: 'check-batches', every: 5, run: ({ database }) => checkDueBatches(database) },
  {
    name: 'check-batch-pictures',
    every: 5,
    run: ({ database, config }) => checkDuePictures(database, createPictureCheck(database, config)),
  },
  { name: 'fund-batches', every: 5, run: ({ database, config }) => fundDueBatches(database, config) },
  {
    name: 'fund-scheduled-batches',
    every: 15,
    run: ({ database, config }) => fundScheduledBatches(database, config),
  },
  { name: 'raise-topped-up-items', every: 5, run: ({ database }) => raiseToppedUpItems(database) },
  { name: 'announce-batch-progress', every: 60, run: ({ database }) => announceBatchProgress(database) },
  { name: 'compute-agreement', every: 10, run: ({ database }) => computeDueAgreements(database) },
  { name: 'assign-reviews', every: 15, run: ({ database }) => assignReviews(database) },
  { name: 'send-review-reminders', every: 60, run: ({ database }) => sendReviewReminders(database) },
  { name: 'send-deadline-reminders', every: 60, run: ({ database }) => sendDeadlineReminders(database) },
  { name: 'send-reviewer-reminders', every: 60, run: ({ database }) => sendReviewerReminders(database) },
  { name: 'update-records', every: 60, run: ({ database }) => updateRecords(database) },
  { name: 'update-transfer-totals', every: 60, run: ({ database }) => updateTransferTotals(database) },
  { name: 'settle-setting-proposals', every: 60, run: ({ database }) => settleProposals(database) },
  { name: 'audit', every: 900, run: ({ database }) => auditAndStore(database) },
  { name: 'purge-live-events', every: 600, run: ({ database }) => purgeLiveEvents(database) },
  { name: 'purge-api-events', every: HOUR, run: ({ database }) => purgeApiEvents(database) },
  {
    name: 'purge-webhook-deliveries',
    every: HOUR,
    run: ({ database }) => purgeWebhookDeliveries(database),
  },
  { name: 'purge-idempotency-keys', every: HOUR, run: ({ database }) => purgeIdempotencyKeys(database) },
  { name: 'purge-rate-limits', every: HOUR, run: ({ database }) => purgeRateLimits(database) },
  { name: 'purge-recent-writes', every: HOUR, run: ({ database }) => purgeRecentWrites(database) },
  { name: 'purge-api-key-uses', every: HOUR, run: ({ database }) => purgeApiKeyUses(database) },
  { name: 'purge-search-terms', every: HOUR, run: ({ database }) => purgeSearchTerms(database) },
  { name: 'purge-batches', every: HOUR, run: ({ database }) => purgeUnpaidBatches(database) },
  { name: 'purge-task-viewers', every: HOUR, run: ({ database }) => purgeTaskViewers(database) },
  { name: 'purge-identity', every: HOUR, run: ({ database }) => purgeExpiredIdentityRows(database) },
  {
    name: 'purge-push-subscriptions',
    every: HOUR,
    run: ({ database }) => purgePushSubscriptions(database),
  },
  { name: 'purge-security-log', every: HOUR, run: ({ database }) => purgeSecurityLog(database) },
  {
    name: 'purge-images',
    every: HOUR,
    run: ({ database, config }) =>
      purgeUnusedImages(database, openImageStore(config.images, config.publicUrl), config.appealDays),
  },
  { name: 'purge-uploads', every: HOUR, run: ({ database }) => purgeUploads(database) },
  { name: 'purge-foreign-pictures', every: HOUR, run: ({ database }) => purgeForeignPictures(database) },
  { name: 'sample-sizes', every: 6 * HOUR, run: ({ database, config }) => sampleSizes(database, config) },
  { name: 'assess-requests', every: 5, run: ({ database }) => assessNewRequests(database) },
  {
    name: 'send-payouts',
    every: 15,
    run: ({ database, config }) => sendPayouts(database, payoutProvider(database, config)),
  },
  {
    name: 'query-payouts',
    every: 60,
    run: ({ database, config }) => queryPayouts(database, payoutProvider(database, config)),
  },
  ...paymentJobs,
]

/** The names of jobs in earlier versions. Their queues are deleted at start. */
export const RETIRED_JOBS = [
  'approve-due-submissions',
  'warn-due-reviews',
  'settle-ledger-sums',
  'clean-live-events',
  'clean-idempotency-keys',
  'clean-rate-limits',
  'clean-identity',
  'clean-images',
  'card-events-forget',
  'purge-card-events',
]
