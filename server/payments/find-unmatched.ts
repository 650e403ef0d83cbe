import { type Database, query } from '#server/database/database.ts'
import { processEach } from './process-each.ts'
import type { CardProvider, PaidIntent } from './provider.ts'
import { attachIntent, purchaseById, purchaseByIntent } from './queries.ts'
import { recordUnmatched } from './record-unmatched.ts'
import { type Cards, settle } from './settle.ts'
import { finishRefunds } from './unmatched.ts'

/** An intent may be paid for a day after its creation; a second day covers an outage of the provider. */
const OVERLAP_DAYS = 2
/** How far back the first search goes. */
const FIRST_DAYS = 90

const readCursor = query<{ time: string }, []>(
  'card_searched_until',
  `select value #>> '{}' as time from installation where name = 'card_searched_until'`,
)
const storeCursor = query<never, [time: string]>(
  'card_searched_until_store',
  `insert into installation (name, value) values ('card_searched_until', to_jsonb($1::text))
   on conflict (name) do update set value = excluded.value`,
)

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
  await processEach(paidSince(cards, await searchedUntil(database)), (intent) => match(context, intent))
  await storeCursor(database, startedAt.toISOString())
}

async function* paidSince(cards: CardProvider, since: string): AsyncGenerator<PaidIntent> {
  for (let cursor: string | null = null; ; ) {
    const page: Awaited<ReturnType<typeof cards.listPaid>> = await cards.listPaid(since, cursor)
    yield* page.intents
    if (page.next === null) return
    cursor = page.next
  }
}

async function searchedUntil(database: Database): Promise<string> {
  const [cursor] = await readCursor(database)
  const days = cursor === undefined ? FIRST_DAYS : OVERLAP_DAYS
  const until = cursor === undefined ? Date.now() : Date.parse(cursor.time)
  return new Date(until - days * 86_400_000).toISOString()
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
  await recordUnmatched(database, cards.mode, 'no_purchase', intent)
}

function isUuid(text: string | null): text is string {
  return text !== null && /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text)
}
