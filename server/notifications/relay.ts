import { type Database, query, queryOne, type Tx } from '#server/database/database.ts'

const BATCH = 500

const outboxWaits = queryOne<{ waits: boolean }, []>(
  'outbox_waits',
  'select exists (select from outbox) as waits',
)
const relayOutbox = queryOne<Moved, [limit: number]>(
  'relay_outbox',
  'select moved, mails, notices from relay_outbox($1)',
)
const cleanEvents = query<never, []>(
  'live_events_clean',
  `delete from live_events where created_at < now() - interval '1 hour'`,
)

/** What left the outbox: messages that were queued as mail, and notices that some people want mailed. */
export type Moved = {
  moved: number
  mails: object[]
  notices: { notice: number; kind: string; user: string }[]
}

/**
 * Moves a batch from the outbox on to live pages, and hands to `mail` what is to be mailed, in the same transaction:
 * each row has its effect once, whatever fails. Answers whether more may be waiting.
 */
export async function relay(
  database: Database,
  mail: (tx: Tx, moved: Moved) => Promise<void>,
): Promise<{ moved: number; more: boolean }> {
  if (!(await outboxWaits(database)).waits) return { moved: 0, more: false }
  const { moved } = await database.transaction(async (tx) => {
    const batch = await relayOutbox(tx, BATCH)
    if (batch.moved > 0) await mail(tx, batch)
    return batch
  })
  return { moved, more: moved === BATCH }
}

/** Forgets events that no page can ask for any more. */
export async function purgeLiveEvents(database: Database): Promise<void> {
  await cleanEvents(database)
}
