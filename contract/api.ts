import * as record from './admin-audit-log.ts'
import * as apiEvents from './api-events.ts'
import * as apiKeys from './api-keys.ts'
import * as appeals from './appeals.ts'
import * as auth from './auth.ts'
import * as batchAgreement from './batch-agreement.ts'
import * as batchAnswers from './batch-answers.ts'
import * as batches from './batches.ts'
import * as cardDisputes from './card-disputes.ts'
import * as cardReconciliation from './card-reconciliation.ts'
import * as contact from './contact.ts'
import * as destinations from './destinations.ts'
import type { Endpoint } from './endpoint.ts'
import * as exchangeRates from './exchange-rates.ts'
import * as freezes from './freezes.ts'
import * as images from './images.ts'
import * as items from './items.ts'
import * as jobs from './jobs.ts'
import * as ledger from './ledger.ts'
import * as live from './live.ts'
import * as mail from './mail.ts'
import * as manageUsers from './manage-users.ts'
import * as monthlyStatements from './monthly-statements.ts'
import * as myWorkers from './my-workers.ts'
import * as notifications from './notifications.ts'
import * as oneTimeLinks from './one-time-links.ts'
import * as operatorSettings from './operator-settings.ts'
import * as payments from './payments.ts'
import * as payoutFiles from './payout-files.ts'
import * as payoutStatements from './payout-statements.ts'
import * as payouts from './payouts.ts'
import * as projects from './projects.ts'
import * as pushSubscriptions from './push-subscriptions.ts'
import * as qualifications from './qualifications.ts'
import * as receipts from './receipts.ts'
import * as refunds from './refunds.ts'
import * as rejections from './rejections.ts'
import * as reservations from './reservations.ts'
import * as revisions from './revisions.ts'
import * as risk from './risk.ts'
import * as sandboxCards from './sandbox-cards.ts'
import * as savedCards from './saved-cards.ts'
import * as secondFactor from './second-factor.ts'
import * as securityLog from './security-log.ts'
import * as sessions from './sessions.ts'
import * as site from './site.ts'
import * as sitePages from './site-pages.ts'
import * as stats from './stats.ts'
import * as submissions from './submissions.ts'
import * as system from './system.ts'
import * as taskAccess from './task-access.ts'
import * as taskDrafts from './task-drafts.ts'
import * as taskFilters from './task-filters.ts'
import * as taskFunnel from './task-funnel.ts'
import * as tasks from './tasks.ts'
import * as unmatchedPayments from './unmatched-payments.ts'
import * as uploads from './uploads.ts'
import * as userOverview from './user-overview.ts'
import * as userTable from './user-table.ts'
import * as users from './users.ts'
import * as waiting from './waiting.ts'
import * as webhooks from './webhooks.ts'
import * as withdrawals from './withdrawals.ts'

const domains = {
  apiEvents,
  apiKeys,
  appeals,
  auth,
  batches,
  batchAgreement,
  batchAnswers,
  cardDisputes,
  contact,
  exchangeRates,
  freezes,
  destinations,
  images,
  uploads,
  items,
  jobs,
  ledger,
  live,
  mail,
  manageUsers,
  monthlyStatements,
  myWorkers,
  notifications,
  oneTimeLinks,
  operatorSettings,
  payments,
  unmatchedPayments,
  cardReconciliation,
  sandboxCards,
  payouts,
  payoutFiles,
  payoutStatements,
  projects,
  pushSubscriptions,
  qualifications,
  receipts,
  record,
  refunds,
  reservations,
  risk,
  savedCards,
  secondFactor,
  securityLog,
  sessions,
  site,
  sitePages,
  stats,
  submissions,
  revisions,
  rejections,
  system,
  taskAccess,
  taskDrafts,
  taskFilters,
  taskFunnel,
  tasks,
  userOverview,
  userTable,
  users,
  waiting,
  webhooks,
  withdrawals,
}

/** An endpoint with its domain, which is the name of its file, and its export name. */
export type NamedEndpoint = { domain: string; name: string; endpoint: Endpoint }

/** Every endpoint of the API, collected from the files beside this one. */
export const ENDPOINTS: NamedEndpoint[] = Object.entries(domains).flatMap(([domain, file]) =>
  Object.entries(file)
    .filter((entry): entry is [string, Endpoint] => isEndpoint(entry[1]))
    .map(([name, endpoint]) => ({ domain, name, endpoint })),
)

function isEndpoint(value: unknown): value is Endpoint {
  return (
    typeof value === 'object' && value !== null && 'method' in value && 'path' in value && 'access' in value
  )
}
