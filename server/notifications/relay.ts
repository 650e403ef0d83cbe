import { NOTIFICATION_KINDS, type NotificationKind } from '#contract/notification-kinds.ts'
import { type Database, query, queryOne, type Tx } from '#server/database/database.ts'

const BATCH = 500
const TOPICS = JSON.stringify(
  Object.fromEntries(Object.entries(NOTIFICATION_KINDS).map(([kind, { topic }]) => [kind, topic])),
)

const outboxWaits = queryOne<{ waits: boolean }, []>(
  'outbox_waits',
  'select exists (select from outbox) as waits',
)
const relayOutbox = queryOne<Moved, [limit: number, topics: string]>(
  'relay_outbox',
  'select moved, mails, notifications from relay_outbox($1, $2)',
)
const deleteExpiredEvents = query<never, []>(
  'live_events_purge',
  `delete from live_events where created_at < now() - interval '1 hour'`,
)

/** A batch that left the outbox: queued emails, and notifications that may be emailed. */
export type Moved = {
  moved: number
  mails: object[]
  notifications: { id: number; kind: NotificationKind; user: string }[]
}

/**
 * Moves a batch from the outbox to live pages, and hands it to `mail` in the same transaction, so that each row has its
 * effect once. Returns whether more may be waiting.
 */
export async function relay(
  database: Database,
  mail: (tx: Tx, moved: Moved) => Promise<void>,
): Promise<{ moved: number; more: boolean }> {
  if (!(await outboxWaits(database)).waits) return { moved: 0, more: false }
  const { moved } = await database.transaction(async (tx) => {
    const batch = await relayOutbox(tx, BATCH, TOPICS)
    if (batch.moved > 0) await mail(tx, batch)
    return batch
  })
  return { moved, more: moved === BATCH }
}

/** Deletes live events that no page can ask for any more. */
export async function purgeLiveEvents(database: Database): Promise<void> {
  await deleteExpiredEvents(database)
}
