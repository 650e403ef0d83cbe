import { type Db, query, queryOne } from '#server/database/database.ts'

export type EventRow = { seq: number; user_id: string | null; body: string }

/** Returns the latest event number and the number of the oldest stored event, null without any. */
export const latestEvent = queryOne<{ head: number; oldest: number | null }, []>(
  'live_sequence',
  'select seq as head, (select min(seq) from live_events) as oldest from live_sequence',
)

/** Returns the number of the latest event. */
export async function latestEventNumber(db: Db): Promise<number> {
  return (await latestEvent(db)).head
}

/** Returns whether any task has changed after an event. */
export const hasTaskEvents = queryOne<{ found: boolean }, [seq: number]>(
  'live_task_events',
  'select exists (select from live_events where user_id is null and seq > $1) as found',
)

export const eventsAfter = query<EventRow, [seq: number, limit: number]>(
  'live_events_after',
  'select seq, user_id, body::text as body from live_events where seq > $1 order by seq limit $2',
)

export const eventsOfUser = query<EventRow, [user: string, seq: number, limit: number]>(
  'live_events_of_user',
  'select seq, user_id, body::text as body from live_events where user_id = $1 and seq > $2 order by seq limit $3',
)

/** Returns those of the given sessions that have ended or whose user was deleted. */
export const endedSessions = query<{ id: string }, [ids: string[]]>(
  'live_ended_sessions',
  `select sessions.id from sessions left join users on users.id = sessions.identity_id
    where sessions.id = any ($1::uuid[])
      and (sessions.ended_at is not null or sessions.expires_at <= now() or users.deleted_at is not null)`,
)
