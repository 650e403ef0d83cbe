import { processEach } from './process-each.ts'
import type { CardProvider, PaidIntent } from './provider.ts'
import { attachIntent, purchaseById, purchaseByIntent } from './queries.ts'
import { recordUnmatched, unmatchedByIntent, updateUnmatched } from './record-unmatched.ts'
import { type Cards, settle } from './settle.ts'
import { storeSyncTime, syncSince } from './sync-time.ts'
import { finishRefunds } from './unmatched.ts'

/** An intent may be paid for a day after its creation; a second day covers an outage of the provider. */
const OVERLAP_DAYS = 2

/**
 * Searches the provider for paid intents with our metadata that are not in this database, as after the restore of a backup,
 * and lists them for the Admins. The position of the search is stored in the database, so that a restored database
 * continues from the time of its backup. It stays where it is as long as an intent fails. @throws AggregateError.
 */
export async function findUnmatchedPayments(context: Cards): Promise<void> {
  await processEach([search, finishRefunds], (step) => step(context))
}

async function search(context: Cards): Promise<void> {
  const { database, cards } = context
  const startedAt = new Date()
  const since = await syncSince(database, 'card_searched_until', OVERLAP_DAYS)
  await processEach(paidSince(cards, since), (intent) => match(context, intent))
  await storeSyncTime(database, 'card_searched_until', startedAt.toISOString())
}

async function* paidSince(cards: CardProvider, since: string): AsyncGenerator<PaidIntent> {
  for (let cursor: string | null = null; ; ) {
    const page: Awaited<ReturnType<typeof cards.listPaid>> = await cards.listPaid(since, cursor)
    yield* page.intents
    if (page.next === null) return
    cursor = page.next
  }
}

async function match(context: Cards, intent: PaidIntent): Promise<void> {
  const { database, cards } = context
  const [known] = await purchaseByIntent(database, intent.id)
  if (known !== undefined) {
    // What is credited is compared by another job; refused ones are checked for refunds here.
    if (known.state !== 'credited') await settle(context, known)
    return
  }
  // The response to its creation was lost, or the backup is from the moment between.
  const [purchase] = isUuid(intent.purchaseId) ? await purchaseById(database, intent.purchaseId) : []
  if (purchase !== undefined && purchase.intent_id === null) {
    const [attached] = await attachIntent(database, purchase.id, intent.id)
    if (attached !== undefined) {
      await settle(context, { ...purchase, intent_id: intent.id })
      return
    }
  }
  const [listed] = await unmatchedByIntent(database, intent.id)
  if (listed === undefined)
    // The list has no disputes.
    await recordUnmatched(database, cards.mode, 'no_purchase', await cards.retrieve(intent.id))
  else if (listed.refunded_cents !== intent.refundedCents || listed.cents !== intent.receivedCents) {
    // The list was read a while ago: an Admin may have refunded the payment since.
    await updateUnmatched(context, intent.id)
  }
}

function isUuid(text: string | null): text is string {
  return text !== null && /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text)
}
