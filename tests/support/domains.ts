/**
 * Which domain of the server may use which (docs/architecture.md), by imports or by calls of its SQL functions. Every
 * domain may use INFRASTRUCTURE and the files directly in server/. `jobs` runs the domains' background work and may use
 * all.
 */
export const MAY_IMPORT: Record<string, readonly string[]> = {
  // A download of a statement is logged.
  ledger: ['security-log'],
  notifications: [],
  images: [],
  // A download is logged.
  'admin-audit-log': ['security-log'],
  // Domains that check credentials, change access or export data write it.
  'security-log': [],
  // Emails render notifications, and have receipts attached.
  mail: ['notifications', 'receipts'],
  // Devices show the texts of notifications, by the preferences of emails.
  push: ['notifications', 'mail'],
  // An Admin's change is logged, and the others are notified.
  'operator-settings': ['admin-audit-log', 'notifications'],
  // The totals of the marketplace include the ledger's running totals.
  stats: ['ledger'],
  // A message notifies the Admins.
  contact: ['notifications'],
  // A restore is audited. Pictures in a bucket are part of a backup.
  backup: ['ledger', 'images'],
  // A freeze stops transfers that spend coins, notifies its user, and an Admin's is logged.
  // A score follows the coins of a request.
  risk: ['ledger', 'notifications', 'admin-audit-log', 'withdrawals'],
  // Workers are notified of qualifications, and an Admin's change of a block is logged.
  audience: ['notifications', 'admin-audit-log'],
  // They move coins, refuse a frozen user, notify users and log what an Admin did; a download of requests is logged. Slots are for
  // those who may work on a task.
  tasks: ['ledger', 'notifications', 'admin-audit-log', 'risk', 'audience'],
  withdrawals: ['ledger', 'notifications', 'risk', 'destinations', 'security-log'],
  // An Admin's change is logged.
  'site-pages': ['admin-audit-log'],
  // An Admin's entry is logged.
  'exchange-rates': ['admin-audit-log'],
  // An open dispute holds its buyer's tasks and freezes them; its evidence has the receipt; a download is logged.
  payments: ['ledger', 'notifications', 'admin-audit-log', 'tasks', 'risk', 'receipts', 'security-log'],
  // Every change is mailed and logged.
  destinations: ['mail', 'security-log'],
  // Monthly statements show the ledger, and their downloads are logged.
  receipts: ['ledger', 'security-log'],
  // A submission takes a slot of its task.
  submissions: ['tasks', 'ledger', 'notifications', 'risk', 'records'],
  // Computed from submissions in the background. Lists of tasks are ordered by their pay per hour.
  records: ['tasks', 'audience'],
  // Appeals move submissions; reviewers' decisions are logged.
  appeals: ['submissions', 'notifications', 'admin-audit-log'],
  // A confirmed payout approves its withdrawal; a corrected one names a bank account as destinations do; Admins' steps and
  // downloads are logged.
  payouts: [
    'withdrawals',
    'destinations',
    'exchange-rates',
    'notifications',
    'admin-audit-log',
    'risk',
    'security-log',
  ],
  // Registration opens an account; deletion settles what the user owns.
  users: [
    'ledger',
    'notifications',
    'tasks',
    'submissions',
    'destinations',
    'payouts',
    'risk',
    'webhooks',
    'audience',
    'admin-audit-log',
    'security-log',
  ],
  // Reads what the other domains have about a user, for Admins; a download is logged.
  'user-overview': ['risk', 'security-log'],
  // Counts what waits in the other domains.
  waiting: ['jobs', 'payments', 'payouts'],
  // A sign-up may register its user; verification and password resets send emails; Admins end sessions. Requests are
  // authenticated by an ID token or by an API key. A reset stops webhook endpoints.
  identity: ['api-keys', 'webhooks', 'users', 'mail', 'admin-audit-log', 'security-log'],
  // Events of changes wait in the outbox. A new endpoint is mailed and logged.
  webhooks: ['notifications', 'mail', 'security-log'],
  projects: [],
  // Files are checked against their project; a paid batch is a task, and its buyer must not be frozen. Work on
  // an item is a submission. Progress is announced. Buyers know workers by pseudonyms. A download is logged.
  batches: ['projects', 'tasks', 'submissions', 'risk', 'notifications', 'audience', 'security-log'],
  // Describes the contract.
  'api-docs': [],
  // A new key is mailed, logged and notified.
  'api-keys': ['mail', 'security-log', 'notifications'],
  // The site's settings name the sign-in providers.
  site: ['identity'],
  // Metrics and the system overview show jobs, the last audit, the card processor and backups.
  monitoring: ['ledger', 'jobs', 'payments', 'backup'],
  // The demo data comes about by the use cases.
  demo: ['users', 'tasks', 'submissions', 'identity', 'withdrawals', 'payouts', 'payments'],
}

/** May be used by every domain; uses none, but settings log changes. */
export const INFRASTRUCTURE = ['database', 'http', 'operator-settings']

/** Which domain owns which table: only its files write it. */
export const OWNER: Record<string, string> = {
  identities: 'identity',
  identity_links: 'identity',
  identity_tokens: 'identity',
  openid_attempts: 'identity',
  pending_sign_ins: 'identity',
  recovery_codes: 'identity',
  sessions: 'identity',
  signing_keys: 'identity',
  totp_secrets: 'identity',
  webauthn_challenges: 'identity',
  webauthn_credentials: 'identity',
  api_keys: 'api-keys',
  api_key_uses: 'api-keys',
  webhook_endpoints: 'webhooks',
  webhook_deliveries: 'webhooks',
  webhook_attempts: 'webhooks',
  users: 'users',
  tasks: 'tasks',
  open_task_slots: 'tasks',
  reservations: 'tasks',
  batch_items: 'tasks',
  item_pictures: 'tasks',
  batch_workers: 'tasks',
  task_changes: 'tasks',
  task_versions: 'tasks',
  task_filters: 'tasks',
  task_drafts: 'tasks',
  task_viewers: 'tasks',
  task_view_counts: 'tasks',
  search_terms: 'tasks',
  unused_search_terms: 'tasks',
  push_subscriptions: 'push',
  projects: 'projects',
  project_versions: 'projects',
  notification_groups: 'notifications',
  batches: 'batches',
  batch_chunks: 'batches',
  batch_pictures: 'batches',
  batch_agreement: 'batches',
  item_agreement: 'batches',
  buyer_workers: 'audience',
  favourite_workers: 'audience',
  worker_blocks: 'audience',
  qualifications: 'audience',
  qualified_workers: 'audience',
  revoked_qualifications: 'audience',
  worker_languages: 'audience',
  task_requirements: 'audience',
  task_links: 'audience',
  task_link_uses: 'audience',
  submissions: 'submissions',
  submission_keys: 'submissions',
  submission_revisions: 'submissions',
  bonuses: 'submissions',
  reversals: 'submissions',
  buyer_records: 'records',
  worker_records: 'records',
  task_records: 'records',
  records_watermark: 'records',
  work_changes: 'records',
  appeals: 'appeals',
  reviews: 'appeals',
  withdrawals: 'withdrawals',
  exchange_rates: 'exchange-rates',
  site_page_versions: 'site-pages',
  last_backup: 'backup',
  freezes: 'risk',
  risk_assessments: 'risk',
  requests_to_assess: 'risk',
  risk_reviews: 'risk',
  payout_destinations: 'destinations',
  payouts: 'payouts',
  payout_batches: 'payouts',
  sandbox_payouts: 'payouts',
  payout_file_profiles: 'payouts',
  payout_files: 'payouts',
  payout_statements: 'payouts',
  payout_statement_lines: 'payouts',
  payout_cases: 'payouts',
  purchases: 'payments',
  purchase_keys: 'payments',
  payments: 'payments',
  payment_reversals: 'payments',
  payment_disputes: 'payments',
  payment_events: 'payments',
  dispute_evidence: 'payments',
  dispute_files: 'payments',
  card_limit_hits: 'payments',
  card_declines: 'payments',
  payment_refunds: 'payments',
  sandbox_refunds: 'payments',
  unmatched_payments: 'payments',
  card_transactions: 'payments',
  card_cases: 'payments',
  card_customers: 'payments',
  card_events: 'payments',
  card_failures: 'payments',
  sandbox_intents: 'payments',
  sandbox_customers: 'payments',
  sandbox_cards: 'payments',
  sandbox_files: 'payments',
  receipts: 'receipts',
  receipt_series: 'receipts',
  ledger_accounts: 'ledger',
  ledger_debts: 'ledger',
  ledger_transfers: 'ledger',
  transfer_keys: 'ledger',
  transfer_totals: 'ledger',
  transfer_totals_watermark: 'ledger',
  notifications: 'notifications',
  live_events: 'notifications',
  api_events: 'notifications',
  live_sequence: 'notifications',
  outbox: 'notifications',
  outbox_groups: 'notifications',
  mail_preferences: 'mail',
  email_rate: 'mail',
  images: 'images',
  foreign_pictures: 'images',
  uploads: 'images',
  upload_parts: 'images',
  contact_messages: 'contact',
  admin_audit_log: 'admin-audit-log',
  security_log: 'security-log',
  operator_settings: 'operator-settings',
  operator_setting_changes: 'operator-settings',
  setting_proposals: 'operator-settings',
  size_samples: 'monitoring',
  rate_limits: 'http',
  idempotency_keys: 'http',
  recent_writes: 'http',
  replica_tokens: 'database',
  installation: 'database',
  schema_migrations: 'database',
  schema_functions: 'database',
  function_sets: 'database',
}

/** Tables that others write too. */
const OTHER_WRITERS: Record<string, readonly string[]> = {
  // Named values; each domain has names of its own.
  installation: ['identity', 'ledger', 'payments'],
  // Emails wait in the outbox until their transaction commits.
  outbox: ['mail', 'receipts'],
}

/** Returns the domain of a file of the server, or '' for a file directly in server/ or elsewhere. */
export const domainOf = (path: string) => /^server\/([^/]+)\//.exec(path)?.[1] ?? ''

/** Returns whether a file of `domain` may use one of `other`. */
export function mayUse(domain: string, other: string): boolean {
  if (domain === '' || other === '' || domain === other) return true
  if (INFRASTRUCTURE.includes(other) || domain === 'jobs') return true
  return (MAY_IMPORT[domain] ?? []).includes(other)
}

/** Returns whether files of `domain` may write a table. The demo data adjusts its history, but never the ledger. */
export function mayWrite(domain: string, table: string): boolean {
  const owner = OWNER[table]
  if (domain === 'demo') return owner !== 'ledger'
  return domain === owner || (OTHER_WRITERS[table] ?? []).includes(domain)
}
