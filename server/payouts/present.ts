import type { Payout, PayoutBatch } from '#contract/payouts.ts'
import { presentBankDetails } from '#server/destinations/bank-details.ts'
import type { PayoutBatchRow, PayoutRow } from './queries.ts'

const NO_COUNTS = { queued: 0, sent: 0, confirmed: 0, failed: 0, unknown: 0, removed: 0 }

export function presentPayoutBatch(row: PayoutBatchRow): PayoutBatch {
  return {
    _id: row.id,
    state: row.state,
    payment_system: row.payment_system,
    provider: row.provider,
    createdBy: row.created_by,
    createdAt: row.created_at,
    checkedBy: row.checked_by,
    checkedAt: row.checked_at,
    releasedBy: row.released_by,
    releasedAt: row.released_at,
    exportedAt: row.exported_at,
    reconciledAt: row.reconciled_at,
    cancelledAt: row.cancelled_at,
    counts: { ...NO_COUNTS, ...row.counts },
    coins: row.coins,
    cents: row.cents,
    fileSha256: row.file_sha256,
  }
}

export function presentPayout(row: PayoutRow): Payout {
  return {
    _id: row.id,
    batchId: row.batch_id,
    withdrawalId: row.withdrawal_id,
    attempt: row.attempt,
    reference: row.reference,
    state: row.state,
    workerId: row.worker_id,
    workerName: row.worker_name,
    workerEmail: row.worker_email,
    payment_system: row.payment_system,
    accountNumber: row.account_number,
    ...presentBankDetails(row),
    coins: row.coins,
    cents: row.cents,
    poisha: row.poisha,
    feePoisha: row.fee_poisha,
    transactionId: row.transaction_id,
    failure: row.failure,
    retryable: row.retryable,
    stopped: row.stopped,
    sentAt: row.sent_at,
    settledAt: row.settled_at,
  }
}
