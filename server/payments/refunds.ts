import { v5 as nameBasedId, v7 as newId } from 'uuid'
import type { Refund } from '#contract/refunds.ts'
import { query } from '#server/database/database.ts'
import { Refusal } from '#server/http/refusal.ts'
import { processEach } from './process-each.ts'
import { StoredFailure } from './provider.ts'
import { purchaseById } from './queries.ts'
import { type Cards, settle } from './settle.ts'

export type RefundRow = {
  id: string
  payment_id: string
  transaction_id: string
  buyer_id: string
  buyer_name: string
  cents: number
  reason: string
  state: Refund['status']
  attempts: number
  requested_at: string
  requested_by: string
  requested_by_id: string
  decided_by: string | null
}

const REFUND = `refunds.id, refunds.payment_id, payments.transaction_id, buyers.id as buyer_id, buyers.name as buyer_name, refunds.cents, refunds.reason,
  refunds.state, refunds.attempts, refunds.requested_at, requesters.name as requested_by, requesters.id as requested_by_id, deciders.name as decided_by
  from payment_refunds as refunds
  join payments on payments.id = refunds.payment_id
  join users as buyers on buyers.id = payments.user_id
  join users as requesters on requesters.id = refunds.requested_by
  left join users as deciders on deciders.id = refunds.decided_by`

/** Returns refunds that are not finished first, then the latest. */
export const listRefunds = query<RefundRow, []>(
  'payment_refunds_list',
  `select ${REFUND} order by refunds.state not in ('waiting', 'refunding'), refunds.requested_at desc, refunds.id limit 100`,
)
const refundById = query<RefundRow, [id: string]>(
  'payment_refund_by_id',
  `select ${REFUND} where refunds.id = $1`,
)
const refundsInProgress = query<RefundRow, []>(
  'payment_refunds_in_progress',
  `select ${REFUND} where refunds.state = 'refunding' order by refunds.requested_at limit 100`,
)
const refundsToVerify = query<RefundRow, [paymentId: string]>(
  'payment_refunds_to_verify',
  `select ${REFUND} where refunds.payment_id = $1 and refunds.state = 'refunded'`,
)
const request = query<
  never,
  [id: string, transactionId: string, adminId: string, cents: number | null, reason: string]
>('request_refund', 'select request_refund($1, $2, $3, $4, $5)')
const approve = query<never, [id: string, adminId: string]>('approve_refund', 'select approve_refund($1, $2)')
const cancel = query<never, [id: string, adminId: string]>('cancel_refund', 'select cancel_refund($1, $2)')
const finish = query<never, [id: string, state: 'refunded' | 'failed']>(
  'finish_refund',
  'select finish_refund($1, $2::refund_state)',
)
const countAttempt = query<never, [id: string]>(
  'payment_refund_count_attempt',
  'update payment_refunds set attempts = attempts + 1 where id = $1',
)

/** A refund that the provider has rejected this often, and does not have, has failed. */
const ATTEMPTS_MAX = 5

type Request = { transactionId: string; cents: number | null; reason: string }

/**
 * Refunds a payment by an Admin's decision, or makes it wait for another Admin where the setting `refund_rules` says so.
 * Without a response of the provider it stays `refunding`, and the job asks again. A repeated request with the client's
 * idempotency key returns the same refund.
 * @throws Refusal `payment_not_found`, `yourself` for a payment of the Admin's own, `state_conflict`, `invalid_fields`.
 */
export async function requestRefund(
  context: Cards,
  adminId: string,
  wanted: Request,
  key?: string,
): Promise<RefundRow> {
  const id = key === undefined ? newId() : nameBasedId(JSON.stringify([key, wanted]), adminId)
  await request(context.database, id, wanted.transactionId, adminId, wanted.cents, wanted.reason)
  return send(context, id)
}

/**
 * Approves or cancels a refund that waits for a second Admin.
 * @throws Refusal `not_found`, `already_decided`, `yourself`, `state_conflict`.
 */
export async function decideRefund(
  context: Cards,
  id: string,
  adminId: string,
  decision: 'approve' | 'cancel',
): Promise<RefundRow> {
  await (decision === 'approve' ? approve : cancel)(context.database, id, adminId)
  return send(context, id)
}

/** Resends refunds whose outcome is unknown. @throws AggregateError. */
export async function finishOpenRefunds(context: Cards): Promise<void> {
  await processEach(await refundsInProgress(context.database), ({ id }) => send(context, id))
}

/** Marks refunds of a payment that the provider reports as failed since, as when the bank returns the money. */
export async function verifyRefunds({ database, cards }: Cards, paymentId: string): Promise<void> {
  const refunds = await refundsToVerify(database, paymentId)
  const [first] = refunds
  if (first === undefined) return
  const known = await cards.listRefunds(first.transaction_id)
  for (const { id } of refunds) {
    const status = known.find(({ refundId }) => refundId === id)?.status
    if (status === 'failed' || status === 'canceled') await finish(database, id, 'failed')
  }
}

/**
 * Makes a refund at the provider, once, and books its result. What the provider has already is looked up first, also after
 * the last attempt: one that the provider reported as failed may have been made. Returns the refund as it is afterwards.
 */
async function send(context: Cards, id: string): Promise<RefundRow> {
  const { database, cards } = context
  const [refund] = await refundById(database, id)
  if (refund === undefined) throw new Refusal('not_found.refund')
  if (refund.state !== 'refunding') return refund
  try {
    const known = await cards.listRefunds(refund.transaction_id)
    const made =
      known.find(({ refundId }) => refundId === id) ??
      (refund.attempts < ATTEMPTS_MAX &&
        (await cards.refund(refund.transaction_id, {
          key: `refund:${id}:${refund.attempts}`,
          refundId: id,
          cents: refund.cents,
        })))
    const hasFailed = !made || made.status === 'failed' || made.status === 'canceled'
    const [purchase] = hasFailed ? [] : await purchaseById(database, refund.payment_id)
    if (purchase !== undefined) await settle(context, purchase)
    await finish(database, id, hasFailed ? 'failed' : 'refunded')
  } catch (error) {
    const isUnknown = error instanceof Refusal && error.code === 'payment_not_found'
    if (error instanceof StoredFailure || isUnknown) await countAttempt(database, id)
    // The provider does not know the payment: it can make no refund.
    if (isUnknown && refund.attempts + 1 >= ATTEMPTS_MAX) await finish(database, id, 'failed')
    else if (!(error instanceof Refusal) || error.code !== 'payments_unavailable') throw error
  }
  const [after] = await refundById(database, id)
  if (after === undefined) throw new Refusal('not_found.refund')
  return after
}
