import { query } from '#server/database/database.ts'
import { Refusal } from '#server/http/refusal.ts'
import { purgeFailures } from './failures.ts'
import type { CardEvent } from './provider.ts'
import {
  deletePurchaseKeys,
  openPurchasesOfUser,
  purchaseByIntent,
  purgeDeclines,
  purgeLimitHits,
  purgePurchaseClients,
  recordDecline,
} from './queries.ts'
import { updateUnmatched } from './record-unmatched.ts'
import { verifyRefunds } from './refunds.ts'
import { type Cards, settle } from './settle.ts'

const insertEvent = query<never, [id: string, type: string, intentId: string | null]>(
  'card_event_insert',
  `insert into card_events (id, type, intent_id) values ($1, $2, $3) on conflict (id) do nothing`,
)

type DueEvent = {
  id: string
  type: string
  intent_id: string | null
  attempts: number
  too_old: boolean
  searched: boolean
}

/**
 * Claims due events. A claim postpones the event, so that it is retried if this instance crashes. Events are postponed by
 * an hour at most; a later time means that the clock has been set back since, so the event is due.
 */
const claimDue = query<DueEvent, [count: number, daysMax: number]>(
  'card_events_claim_due',
  `update card_events set attempts = attempts + 1,
          next_try_at = clock_time() + least(60 * 2 ^ least(attempts, 10), 3600) * interval '1 second'
    where id in (select id from card_events where processed_at is null
                    and (next_try_at <= clock_time() or next_try_at > clock_time() + interval '2 hours')
                  order by next_try_at limit $1 for update skip locked)
   returning id, type, intent_id, attempts, received_at < clock_time() - $2 * interval '1 day' as too_old,
          coalesce(received_at < (select (value #>> '{}')::timestamptz from installation where name = 'card_searched_until'), false) as searched`,
)
const finishEvent = query<never, [id: string, outcome: string]>(
  'card_event_finish',
  'update card_events set processed_at = clock_time(), outcome = $2 where id = $1',
)
const retryEvent = query<never, [id: string, seconds: number, outcome: string]>(
  'card_event_retry',
  `update card_events set next_try_at = clock_time() + $2 * interval '1 second', outcome = $3 where id = $1`,
)
const deleteOld = query<never, [days: number]>(
  'card_events_purge',
  `delete from card_events where processed_at is not null and received_at < clock_time() - $1 * interval '1 day'`,
)

const recordFraudWarning = query<never, [paymentId: string]>(
  'record_fraud_warning',
  'select record_fraud_warning($1)',
)

const recordUnmatchedFraudWarning = query<{ is_listed: boolean }, [intentId: string]>(
  'record_unmatched_fraud_warning',
  'select record_unmatched_fraud_warning($1) as is_listed',
)

const FRAUD_WARNING = 'radar.early_fraud_warning.created'
const REFUND_CHANGES = new Set(['charge.refund.updated', 'refund.updated', 'refund.failed'])
const BATCH = 20
const RETRY_DAYS_MAX = 4
const KEEP_DAYS = 90
/** As for the idempotency keys of other requests. */
const KEY_DAYS = 7
/** The time in which most banks accept disputes. */
const CLIENT_DAYS = 180
const RETRY_SECONDS = [2, 5, 15, 60, 300]
const RETRY_SECONDS_MAX = 900

/** Stores an event of the provider before it is acknowledged. A repeated event is the same row. */
export async function receiveEvent({ database }: Cards, event: CardEvent): Promise<void> {
  await insertEvent(database, event.id, event.type, event.intentId)
}

/**
 * Processes due events and returns their number. An event only names an intent, whose state is then retrieved, so order,
 * delay and repetition of events do not matter. Failed events are retried with increasing delays.
 * @throws AggregateError of unexpected errors, after all due events.
 */
export async function processEvents(context: Cards): Promise<number> {
  let processed = 0
  const unexpected: unknown[] = []
  // When the provider is unavailable, the other events are due again in a minute.
  for (let isAvailable = true, isLast = false; isAvailable && !isLast; ) {
    const due = await claimDue(context.database, BATCH, RETRY_DAYS_MAX)
    isLast = due.length < BATCH
    for (const event of due) {
      processed++
      const failure = await processEvent(context, event)
      isAvailable = !(failure instanceof Refusal && failure.code === 'payments_unavailable')
      if (!isAvailable) break
      if (failure !== undefined && !(failure instanceof Refusal)) unexpected.push(failure)
    }
  }
  if (unexpected.length > 0) throw new AggregateError(unexpected, 'Card events could not be processed')
  return processed
}

/** Processes one event. Returns its error instead of throwing, so that the other events are processed. */
async function processEvent(context: Cards, event: DueEvent): Promise<unknown> {
  const { database } = context
  try {
    const outcome = await outcomeOf(context, event)
    if (outcome === 'not listed' && !event.too_old)
      await retryEvent(database, event.id, RETRY_SECONDS_MAX, outcome)
    else await finishEvent(database, event.id, outcome)
    return undefined
  } catch (error) {
    const reason = error instanceof Refusal ? error.code : 'failed'
    const delay = RETRY_SECONDS[event.attempts - 1] ?? RETRY_SECONDS_MAX
    if (event.too_old) await finishEvent(database, event.id, reason)
    else await retryEvent(database, event.id, delay, reason)
    return error
  }
}

/** Returns what an event has changed. `not listed`: the next search for unmatched payments may list the intent of a fraud warning. */
async function outcomeOf(context: Cards, { id, type, intent_id, searched }: DueEvent): Promise<string> {
  const [purchase] = intent_id === null ? [] : await purchaseByIntent(context.database, intent_id)
  if (purchase === undefined) {
    // The refund of an unmatched payment can fail long after the search for it has ended.
    const isListed = intent_id !== null && (await updateUnmatched(context, intent_id))
    if (isListed && type === FRAUD_WARNING) await recordUnmatchedFraudWarning(context.database, intent_id)
    if (isListed) return 'unmatched'
    return intent_id !== null && type === FRAUD_WARNING && !searched ? 'not listed' : 'not ours'
  }
  if (type === 'payment_intent.payment_failed') {
    const { reached } = await recordDecline(context.database, id, purchase.user_id)
    if (reached) await cancelOpenIntents(context, purchase.user_id)
  }
  const outcome = await settle(context, purchase)
  if (outcome === 'credited' && type === FRAUD_WARNING)
    await recordFraudWarning(context.database, purchase.id)
  if (outcome === 'refused' && intent_id !== null && type === FRAUD_WARNING)
    await recordUnmatchedFraudWarning(context.database, intent_id)
  if (outcome === 'credited' && REFUND_CHANGES.has(type)) await verifyRefunds(context, purchase.id)
  return outcome
}

/** Cancels what a buyer who has reached the limit of declined cards could try further cards with. */
async function cancelOpenIntents(context: Cards, userId: string): Promise<void> {
  for (const purchase of await openPurchasesOfUser(context.database, userId)) {
    if (purchase.intent_id === null) continue
    await context.cards.cancel(purchase.intent_id)
    await settle(context, purchase)
  }
}

/**
 * Deletes what payments keep for a time only (docs/security.md): idempotency keys after 7 days; failures of the provider after
 * 14; processed events, declined cards and the days on which a buyer reached a limit of cards after 90; and the IP address and
 * the browser of a purchase after 180.
 */
export async function purgePaymentData({ database }: Cards): Promise<void> {
  await deleteOld(database, KEEP_DAYS)
  await purgeFailures(database)
  await deletePurchaseKeys(database, KEY_DAYS)
  await purgeDeclines(database, KEEP_DAYS)
  await purgeLimitHits(database, KEEP_DAYS)
  await purgePurchaseClients(database, CLIENT_DAYS)
}
