import { query } from '#server/database/database.ts'
import { Refusal } from '#server/http/refusal.ts'
import type { Dispute } from './disputes.ts'
import { processEach } from './process-each.ts'
import { type CardMode, StoredFailure } from './provider.ts'
import { purchaseById } from './queries.ts'
import { type UnmatchedCause, updateUnmatched } from './record-unmatched.ts'
import { type Cards, settle } from './settle.ts'

export type UnmatchedRow = {
  id: string
  intent_id: string
  cause: UnmatchedCause
  mode: CardMode
  cents: number
  refunded_cents: number
  /** What its amount bought when it was paid; null when there was no such package. */
  coins: number | null
  currency: string
  card_brand: string
  card_last4: string
  paid_at: string
  state: 'open' | 'credited' | 'refunding' | 'refunded'
  refund_attempts: number
  fraud_warning_at: string | null
  disputes: (Dispute & { isOpen: boolean })[]
  decided_at: string | null
  reason: string
  buyer_id: string | null
  buyer_name: string | null
  buyer_email: string | null
  admin_id: string | null
  admin_name: string | null
  requested_decision: 'credit' | 'refund' | null
  requested_at: string | null
  requester_id: string | null
  requester_name: string | null
}

const UNMATCHED = `unmatched.id, unmatched.intent_id, unmatched.cause, unmatched.mode, unmatched.cents, unmatched.refunded_cents,
  unmatched.currency, unmatched.card_brand, unmatched.card_last4, unmatched.paid_at, unmatched.state,
  unmatched.refund_attempts, unmatched.fraud_warning_at, unmatched.disputes,
  package_coins(unmatched.cents - coalesce((unmatched.tax ->> 'cents')::bigint, 0), unmatched.paid_at) as coins, unmatched.decided_at, unmatched.reason, buyers.id as buyer_id, buyers.name as buyer_name, buyers.email as buyer_email,
  admins.id as admin_id, admins.name as admin_name, unmatched.requested_decision, unmatched.requested_at,
  requesters.id as requester_id, requesters.name as requester_name
  from unmatched_payments as unmatched
  left join users as buyers on buyers.id = unmatched.user_id and buyers.deleted_at is null
  left join users as admins on admins.id = unmatched.decided_by
  left join users as requesters on requesters.id = unmatched.requested_by`

const LISTED_MAX = 200

/** Returns unmatched payments: those without a decision first, oldest first, then the latest decisions. */
export const listUnmatched = query<UnmatchedRow, []>(
  'unmatched_payments_list',
  `select ${UNMATCHED} order by unmatched.decided_at is not null and unmatched.state <> 'refunding',
     unmatched.decided_at desc, unmatched.found_at, unmatched.id limit ${LISTED_MAX}`,
)
const unmatchedById = query<UnmatchedRow, [id: string]>(
  'unmatched_payment_by_id',
  `select ${UNMATCHED} where unmatched.id = $1`,
)
const refundsInProgress = query<UnmatchedRow, []>(
  'unmatched_payments_refunding',
  `select ${UNMATCHED} where unmatched.state = 'refunding' order by unmatched.found_at, unmatched.id`,
)
const creditUnmatched = query<
  { purchase_id: string | null },
  [id: string, adminId: string, coins: number | null, reason: string, approves: boolean]
>('credit_unmatched_payment', 'select credit_unmatched_payment($1, $2, $3, $4, $5) as purchase_id')
const startRefund = query<never, [id: string, adminId: string, reason: string, approves: boolean]>(
  'start_unmatched_refund',
  'select start_unmatched_refund($1, $2, $3, $4)',
)
const cancelRequest = query<never, [id: string, adminId: string]>(
  'cancel_unmatched_decision',
  'select cancel_unmatched_decision($1, $2)',
)
const countRefundAttempt = query<{ refund_attempts: number }, [id: string, attempts: number]>(
  'unmatched_payment_count_refund_attempt',
  `update unmatched_payments set refund_attempts = refund_attempts + 1
    where id = $1 and refund_attempts = $2 returning refund_attempts`,
)
const reopen = query<never, [id: string]>('reopen_unmatched_payment', 'select reopen_unmatched_payment($1)')

/** A decision to refund is withdrawn when the provider has rejected it this often. */
const REJECTIONS_MAX = 5

type Decision = { decision: 'credit' | 'refund'; reason: string }

/**
 * Credits or refunds an unmatched payment by an Admin's decision, and returns it as it is afterwards. Above the setting
 * `refund_rules` the decision waits for another Admin. A refund that the provider does not confirm stays `refunding`: the
 * job or the same decision asks again. After `REJECTIONS_MAX` rejections the payment is `open` again.
 * @throws Refusal `payment_not_found`, `already_decided`, `yourself` for a payment of the Admin's own, `user_not_found`,
 * `state_conflict`, `payments_unavailable`.
 */
export async function decideUnmatched(
  context: Cards,
  id: string,
  adminId: string,
  decision: Decision,
): Promise<UnmatchedRow | undefined> {
  const [before] = await unmatchedById(context.database, id)
  return decide(context, id, adminId, before, decision, false)
}

/**
 * Approves the decision of another Admin, or cancels one that waits. An approval is of `seen`, if given: when another decision waits
 * meanwhile, it is refused. @throws Refusal as `decideUnmatched`.
 */
export async function decideUnmatchedRequest(
  context: Cards,
  id: string,
  adminId: string,
  decision: 'approve' | 'cancel',
  seen: 'credit' | 'refund' | undefined,
): Promise<UnmatchedRow | undefined> {
  const [before] = await unmatchedById(context.database, id)
  if (decision === 'cancel') {
    await cancelRequest(context.database, id, adminId)
    return (await unmatchedById(context.database, id))[0]
  }
  const { requested_decision: requested, reason } = before ?? {}
  if (before !== undefined && !requested) throw new Refusal('already_decided.unmatched_request')
  const wanted = { decision: seen ?? requested ?? 'credit', reason: reason ?? '' }
  return decide(context, id, adminId, before, wanted, true)
}

async function decide(
  context: Cards,
  id: string,
  adminId: string,
  before: UnmatchedRow | undefined,
  { decision, reason }: Decision,
  approves: boolean,
): Promise<UnmatchedRow | undefined> {
  const { database } = context
  if (decision === 'credit') {
    const [credited] = await creditUnmatched(database, id, adminId, before?.coins ?? null, reason, approves)
    const purchaseId = credited?.purchase_id ?? null
    const [purchase] = purchaseId === null ? [] : await purchaseById(database, purchaseId)
    // Books refunds and disputes from before. While the provider is unavailable, this is left to the next comparison with it.
    if (purchase !== undefined)
      await settle(context, purchase).catch((error: unknown) => {
        if (!(error instanceof Refusal)) throw error
      })
  } else {
    await startRefund(database, id, adminId, reason, approves)
    const [unmatched] = await unmatchedById(database, id)
    if (unmatched?.state === 'refunding') await refund(context, unmatched)
  }
  const [after] = await unmatchedById(database, id)
  return after
}

/** Refunds what is left of the payment, unless the provider has refunded it already. */
async function refund(context: Cards, unmatched: UnmatchedRow): Promise<void> {
  const { database, cards } = context
  const { id, intent_id: intentId, refund_attempts: attempts } = unmatched
  const intent = await cards.retrieve(intentId)
  let isRejected = false
  if (intent.refundedCents < intent.receivedCents) {
    try {
      await cards.refund(intentId, { key: `unmatched:${id}:${attempts}`, refundId: id })
    } catch (error) {
      if (!(error instanceof StoredFailure)) throw error
      const [counted] = await countRefundAttempt(database, id, attempts)
      isRejected = counted !== undefined && counted.refund_attempts % REJECTIONS_MAX === 0
      if (!isRejected) throw error
    }
  }
  // After the last rejection too: the provider may have made the refund in spite of its error.
  await updateUnmatched(context, intentId)
  if (isRejected) await reopen(database, id)
}

/** Asks the provider again for refunds that it has not confirmed. @throws AggregateError. */
export async function finishRefunds(context: Cards): Promise<void> {
  const { database } = context
  await processEach(await refundsInProgress(database), (unmatched) => refund(context, unmatched))
}
