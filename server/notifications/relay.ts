import { NOTIFICATION_KINDS, type NotificationKind } from '#contract/notification-kinds.ts'
import { type Database, MANY_ROWS, query, queryOne, type Tx } from '#server/database/database.ts'
import { deleteInBatches } from '#server/database/delete-in-batches.ts'

const BATCH = 1_000
const PURGE_BATCH = 5_000
const TOPICS = JSON.stringify(
  Object.fromEntries(Object.entries(NOTIFICATION_KINDS).map(([kind, { topic }]) => [kind, topic])),
)

const hasOutboxRows = queryOne<{ found: boolean }, []>(
  'outbox_has_rows',
  'select exists (select from outbox) or exists (select from outbox_groups) as found',
)
const relayOutbox = queryOne<MovedRow, [limit: number, topics: string]>(
  'relay_outbox',
  'select moved, mails, notifications from relay_outbox($1, $2)',
  MANY_ROWS,
)
/** Deletes live events that are too old to be replayed. */
export const purgeLiveEvents = query<never, []>(
  'live_events_purge',
  `delete from live_events where created_at < now() - interval '1 hour'`,
)
const deleteOldApiEvents = query<{ id: string }, [batch: number]>(
  'api_events_purge',
  `delete from api_events where id in (
     select id from api_events where created_at < now() - interval '30 days' order by created_at limit $1)
   returning id`,
)

/** Notifications of a user that one statement made, in the order of their ids. */
export type NotificationGroup = { ids: number[]; kind: NotificationKind; user: string }
/** The group has what one statement made for its users. */
type NotificationOfBatch = [id: number, kind: NotificationKind, user: string, group: number | null]
type MovedRow = { moved: number; mails: object[]; notifications: NotificationOfBatch[] }
/** A batch taken from the outbox: queued emails, and notifications that may be emailed or sent to devices. */
export type RelayedBatch = { moved: number; mails: object[]; notifications: NotificationGroup[] }

/** What notifies every instance of a relayed batch. */
export const RELAYED = 'relayed'

/**
 * Moves a batch from the outbox to the live events and to the events for users' own systems, and passes it to `createJobs` in the
 * same transaction: each row takes effect once. Returns the number of rows and whether more may wait. `moved` 0 with `more` true:
 * another instance's relay holds the lock, and may not see the newest rows.
 */
export async function relay(
  database: Database,
  createJobs: (tx: Tx, moved: RelayedBatch) => Promise<void>,
): Promise<{ moved: number; more: boolean }> {
  if (!(await hasOutboxRows(database)).found) return { moved: 0, more: false }
  const { moved } = await database.transaction(async (tx) => {
    const batch = await relayOutbox(tx, BATCH, TOPICS)
    if (batch.moved > 0) await createJobs(tx, { ...batch, notifications: grouped(batch.notifications) })
    return batch
  })
  return { moved, more: moved >= BATCH || moved === 0 }
}

/** Groups the notifications that one statement made for a user, in the order of their first ones. */
function grouped(notifications: readonly NotificationOfBatch[]): NotificationGroup[] {
  const groups = new Map<string | number, NotificationGroup>()
  for (const [id, kind, user, group] of notifications) {
    const key = group === null ? id : `${group} ${user} ${kind}`
    const known = groups.get(key)
    if (known === undefined) groups.set(key, { ids: [id], kind, user })
    else known.ids.push(id)
  }
  return [...groups.values()]
}

/** Deletes events for users' own systems that are older than 30 days. Returns how many. */
export function purgeApiEvents(database: Database): Promise<number> {
  return deleteInBatches(PURGE_BATCH, async (batch) => (await deleteOldApiEvents(database, batch)).length)
}
