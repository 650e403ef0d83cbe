import type { ApiKey } from '#contract/api-keys.ts'
import type { Case, Review } from '#contract/appeals.ts'
import type { Destination } from '#contract/destinations.ts'
import type { Freeze } from '#contract/freezes.ts'
import type { uploadImage } from '#contract/images.ts'
import type { Notification } from '#contract/notifications.ts'
import type { Payment } from '#contract/payments.ts'
import type { Payout, PayoutBatchDetails } from '#contract/payouts.ts'
import type { ReceiptDocument } from '#contract/receipts.ts'
import type { Risk } from '#contract/risk.ts'
import type { Submission } from '#contract/submissions.ts'
import type { ListedTask, TaskDetails, TaskProgress } from '#contract/tasks.ts'
import type { UserTableRow } from '#contract/user-table.ts'
import type { PublicProfile, User } from '#contract/users.ts'
import type { WebhookEndpoint } from '#contract/webhooks.ts'
import type { RequestPayout, Withdrawal, WithdrawalRequest } from '#contract/withdrawals.ts'
import type { Reply } from '#web/lib/api.ts'

/** Replies of the API as tests need them. Each has its own id, so that nothing is shared between tests. */

let last = 0

export function anId(): string {
  return `00000000-0000-4000-8000-${String(++last).padStart(12, '0')}`
}

export function aUser(role: User['role'], change: Partial<User> = {}): User {
  const number = ++last
  const name = change.name ?? `${role} ${number}`
  return {
    _id: anId(),
    name,
    user: name,
    email: `${role.toLowerCase()}.${number}@example.com`,
    image: '',
    img: '',
    role,
    coin: 500,
    debt: 0,
    wallet: 0,
    reviewer: false,
    locale: 'en',
    createdAt: '2026-01-01T09:00:00.000Z',
    ...change,
  }
}

export function anApiKey(change: Partial<ApiKey> = {}): ApiKey {
  return {
    _id: anId(),
    name: 'Own system',
    prefix: 'tw_Ab1-Ab',
    scopes: ['tasks'],
    networks: [],
    createdAt: new Date().toISOString(),
    expiresAt: new Date(Date.now() + 90 * 86_400_000).toISOString(),
    revokedAt: null,
    lastUsedAt: null,
    lastUsedNetwork: null,
    ...change,
  }
}

export function aWebhookEndpoint(change: Partial<WebhookEndpoint> = {}): WebhookEndpoint {
  return {
    _id: anId(),
    name: 'Own system',
    url: 'https://hooks.example.com/tallywork',
    events: ['submission.received'],
    state: 'active',
    pausedBecause: null,
    failingSince: null,
    previousSecretUntil: null,
    waiting: 0,
    createdAt: new Date().toISOString(),
    ...change,
  }
}

export function aDestination(change: Partial<Destination> = {}): Destination {
  const accountNumber = change.accountNumber ?? '01712345678'
  return {
    _id: anId(),
    payment_system: 'Bkash',
    accountNumber,
    account: accountNumber,
    holderName: 'Ruma Akter',
    bankName: '',
    branch: '',
    routingNumber: '',
    state: 'verified',
    usableAt: '2026-01-01T09:00:00.000Z',
    verifiedAt: '2026-01-02T09:00:00.000Z',
    createdAt: '2026-01-01T09:00:00.000Z',
    warnings: [],
    ...change,
  }
}

export function aPublicUser(change: Partial<PublicProfile> = {}): PublicProfile {
  const { _id, name, email, image, role } = aUser(change.role ?? 'Worker')
  return { _id, name, email, image, role, buyerRecord: null, workerRecord: null, ...change }
}

export function aUserTableRow(change: Partial<UserTableRow> = {}): UserTableRow {
  const { _id, name, email, image, role } = aUser('Worker')
  return {
    _id,
    name,
    email,
    image,
    role,
    coins: 120,
    debt: 0,
    joinedAt: '2026-01-01T09:00:00.000Z',
    lastSeenAt: null,
    tasks: 0,
    work: 4,
    approvalPercent: 75,
    isReviewer: false,
    isFrozen: false,
    riskScore: null,
    destinations: [],
    ...change,
  }
}

export function aTask(change: Partial<ListedTask> = {}): ListedTask {
  const id = anId()
  return {
    _id: id,
    task_title: `Task ${last}`,
    task_detail: 'Record a voice note of two minutes.',
    required_workers: 10,
    payable_amount: 25,
    completion_date: '2026-12-18',
    submission_info: 'A link to the recording',
    task_image_url: '',
    buyer: 'buyer@example.com',
    buyer_name: 'Nadia Buyer',
    buyerId: anId(),
    Buyer_name: 'Nadia Buyer',
    worker: 4,
    amount: 250,
    total: 250,
    isCompleted: false,
    isClosed: false,
    review_hours: 168,
    reservation_minutes: 60,
    category: 'transcription',
    isBatch: false,
    buyerRecord: null,
    workSeconds: null,
    createdAt: '2026-01-10T09:00:00.000Z',
    ...change,
  }
}

/** Returns a task as its page shows it to a worker who has not begun. */
export function aTaskDetails(change: Partial<TaskDetails> = {}): TaskDetails {
  return {
    ...aTask(),
    taskVersion: 1,
    restorable_slots: 0,
    audience: null,
    ineligibility: null,
    rejection: null,
    submission: null,
    reservation: null,
    ...change,
  }
}

/** Returns the numbers of a task without work. */
export function aTaskProgress(taskId: string, change: Partial<TaskProgress> = {}): TaskProgress {
  return {
    taskId,
    reserved: 0,
    pending: 0,
    reviewBy: null,
    unsettled: 0,
    approved: 0,
    rejected: 0,
    escrow: 0,
    held: false,
    ...change,
  }
}

export function aSubmission(change: Partial<Submission> = {}): Submission {
  const id = anId()
  return {
    _id: id,
    taskId: anId(),
    taskVersion: 1,
    item: null,
    task_title: `Task ${last}`,
    payable_amount: 25,
    worker_name: `Worker ${last}`,
    worker_email: 'worker@example.com',
    buyer_email: 'buyer@example.com',
    buyer_name: 'Nadia Buyer',
    required_workers_left: 3,
    submissoin_data: 'The recording is at https://example.com/voice.mp3.',
    status: 'pending',
    state: 'pending',
    taskImg: '',
    taskCategory: 'transcription',
    reason: '',
    category: null,
    requirement: '',
    revisionRequest: null,
    slotReopened: false,
    workerRecord: null,
    workSeconds: null,
    createdAt: '2026-01-14T09:00:00.000Z',
    decidedAt: null,
    decidedBy: null,
    dueAt: '2099-01-21T09:00:00.000Z',
    reviewBy: '2099-01-21T09:00:00.000Z',
    ...change,
  }
}

export function aReview(change: Partial<Review> = {}): Review {
  const id = anId()
  return {
    _id: id,
    caseId: id,
    caseSize: 1,
    task_title: `Task ${last}`,
    category: 'incomplete',
    reason: 'The date is missing.',
    requirement: '',
    submissoin_data: 'The recording is at https://example.com/voice.mp3.',
    payable_amount: 25,
    held: false,
    round: 1,
    openedAt: '2026-01-14T09:00:00.000Z',
    dueAt: '2099-01-21T09:00:00.000Z',
    ...change,
  }
}

export function aCase(change: Partial<Case> = {}): Case {
  return {
    _id: anId(),
    viewer: 'worker',
    state: 'rejection_open',
    dueAt: '2099-01-21T09:00:00.000Z',
    payable_amount: 25,
    taskId: anId(),
    task_title: `Task ${last}`,
    task_detail: 'Record a voice note of two minutes.',
    submission_info: 'A link to the recording',
    taskImg: '',
    taskCategory: 'transcription',
    item: null,
    submissoin_data: 'The recording is at https://example.com/voice.mp3.',
    category: 'incomplete',
    requirement: 'Two minutes',
    reason: 'The recording ends after a minute.',
    worker_name: 'Rafi',
    buyer_name: 'Nadia Buyer',
    held: false,
    round: null,
    slotReopened: false,
    reversibleUntil: null,
    isClosed: false,
    decides: false,
    steps: [
      {
        at: '2026-01-14T09:00:00.000Z',
        step: 'submitted',
        text: 'The recording is at https://example.com/voice.mp3.',
        pictures: [],
        decidedBy: null,
        coins: null,
      },
      {
        at: '2026-01-14T10:00:00.000Z',
        step: 'rejected',
        text: 'The recording ends after a minute.',
        pictures: [],
        decidedBy: null,
        coins: null,
      },
    ],
    ...change,
  }
}

export function aWithdrawal(change: Partial<Withdrawal> = {}): Withdrawal {
  return {
    _id: anId(),
    workerName: `Worker ${last}`,
    workerEmail: 'worker@example.com',
    withdrawalCoin: 200,
    withdrawal_amount: 10,
    payment_system: 'Bkash',
    accountNumber: '01712345678',
    account: '01712345678',
    status: 'pending',
    formatted: '2026-01-14',
    reason: '',
    createdAt: '2026-01-14T09:00:00.000Z',
    decidedAt: null,
    ...change,
  }
}

export function aWithdrawalRequest(change: Partial<WithdrawalRequest> = {}): WithdrawalRequest {
  return {
    ...aWithdrawal(),
    workerId: anId(),
    origin: { byBuyer: [], bonus: 0, purchased: 200, other: 0, flags: [] },
    ...change,
  }
}

export function aRisk(change: Partial<Risk> = {}): Risk {
  return {
    workerId: anId(),
    score: 0,
    stopped: false,
    reasons: [],
    facts: {
      topBuyersPercent: 60,
      buyers: 5,
      bonusPercent: 10,
      paidInCents: 3500,
      askedCents: 1000,
      workerAgeDays: 30,
      roleChanges: 0,
    },
    assessedAt: '2026-01-14T09:00:00.000Z',
    cleared: null,
    freezes: [],
    ...change,
  }
}

/** A freeze of an account. */
export function aFreeze(change: Partial<Freeze> = {}): Freeze {
  return {
    _id: anId(),
    subject: 'account',
    withdrawalId: null,
    coins: null,
    cause: 'admin',
    reason: 'Three people use this number',
    frozenAt: '2026-11-20T09:00:00.000Z',
    response: null,
    respondedAt: null,
    endedAt: null,
    endReason: '',
    ...change,
  }
}

/** A claim of a request by an Admin. */
export function aClaim(change: Partial<RequestPayout> = {}): RequestPayout {
  return {
    _id: anId(),
    batchId: anId(),
    single: true,
    state: 'queued',
    reference: 'TW0123456789AB',
    claimedBy: { _id: anId(), name: 'Farida Admin' },
    claimedAt: '2026-01-14T09:00:00.000Z',
    checkedBy: null,
    transactionId: '',
    failure: '',
    ...change,
  }
}

export function aPayout(change: Partial<Payout> = {}): Payout {
  return {
    _id: anId(),
    batchId: anId(),
    withdrawalId: anId(),
    attempt: 1,
    reference: `TW${last}`,
    state: 'queued',
    workerId: anId(),
    workerName: `Worker ${last}`,
    workerEmail: 'worker@example.com',
    payment_system: 'Bkash',
    accountNumber: '01712345678',
    holderName: '',
    bankName: '',
    branch: '',
    routingNumber: '',
    coins: 200,
    cents: 1000,
    poisha: null,
    feePoisha: null,
    transactionId: '',
    failure: '',
    retryable: false,
    stopped: false,
    sentAt: null,
    settledAt: null,
    ...change,
  }
}

export function aPayoutBatch(change: Partial<PayoutBatchDetails> = {}): PayoutBatchDetails {
  const payouts = change.payouts ?? [aPayout()]
  const counts = { queued: 0, sent: 0, confirmed: 0, failed: 0, unknown: 0, removed: 0 }
  for (const { state } of payouts) counts[state]++
  return {
    _id: anId(),
    state: 'draft',
    payment_system: 'Bkash',
    provider: null,
    createdBy: { _id: anId(), name: 'Farida Admin' },
    createdAt: '2026-01-14T09:00:00.000Z',
    checkedBy: null,
    checkedAt: null,
    releasedBy: null,
    releasedAt: null,
    exportedAt: null,
    reconciledAt: null,
    cancelledAt: null,
    counts,
    coins: payouts.length * 200,
    cents: payouts.length * 1000,
    fileSha256: null,
    twoPeople: false,
    rate: null,
    providers: [],
    payouts,
    ...change,
  }
}

export function aPayment(change: Partial<Payment> = {}): Payment {
  return {
    _id: anId(),
    receipt: last,
    email: 'buyer@example.com',
    coins: 500,
    price: 20,
    transactionId: `pi_${last}`,
    date: '2026-01-14T09:00:00.000Z',
    status: 'Success',
    card: { brand: 'visa', last4: '4242' },
    returned: { price: 0, coins: 0 },
    real: true,
    ...change,
  }
}

export function aReceipt(change: Partial<ReceiptDocument> = {}): ReceiptDocument {
  return {
    _id: anId(),
    number: `R-00000${last}`,
    kind: 'purchase',
    date: '2026-01-14T09:00:00.000Z',
    total: 20,
    taxAmount: 0,
    seller: { name: 'Tallywork', address: '', email: '', taxNumber: '' },
    customer: { name: 'Nadia', email: 'buyer@example.com' },
    lines: [{ text: '500 coins', coins: 500, amount: 20 }],
    tax: null,
    method: 'Visa ending in 4242',
    transactionId: `pi_${last}`,
    real: true,
    taka: null,
    related: [],
    ...change,
  }
}

export function aNotification(change: Partial<Notification> = {}): Notification {
  return {
    _id: String(++last),
    message: `Notification ${last}`,
    time: '2026-01-14T09:00:00.000Z',
    actionRoute: '/dashboard',
    read: false,
    ...change,
  }
}

/** The reply to an upload. */
export function aStoredImage(url: string): Reply<typeof uploadImage> {
  const data = { display_url: url, url, thumb: { url }, width: 100, height: 100 }
  return { data, success: true, status: 200 }
}
