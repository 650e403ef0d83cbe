import { PIPELINED, query, queryOne } from '#server/database/database.ts'
import type { ApiEventRow } from './present.ts'

/** Returns a condition: whether an API key or a session is live. */
const isLive = (id: string) => `(
  exists (select from api_keys where api_keys.id = ${id} and revoked_at is null and expires_at > now())
  or exists (select from sessions where sessions.id = ${id} and ended_at is null and expires_at > now()))`

export type EventRow = ApiEventRow & { seq: number }

/** Returns a user's events after a number, oldest first, while the key or session of their stream is live. */
export const apiEventsAfter = query<EventRow, [user: string, seq: number, credential: string, limit: number]>(
  'api_events_after',
  `select seq, id, type, payload::text, created_at from api_events
    where user_id = $1 and seq > $2 and ${isLive('$3')}
      and exists (select from users where users.id = $1 and role <> 'Admin' and deleted_at is null)
    order by seq limit $4`,
  PIPELINED,
)

/** Returns the users with events after a number, each with the number of their latest. */
export const activeUsers = query<{ user_id: string; head: number }, [seq: number]>(
  'api_events_active_users',
  'select user_id, max(seq) as head from api_events where seq > $1 group by user_id',
  PIPELINED,
)

export const latestSeq = queryOne<{ head: number }, []>(
  'api_events_latest',
  'select coalesce(max(seq), 0) as head from api_events',
  PIPELINED,
)

/** Returns those of the given API keys and sessions that are live. */
export const liveCredentials = query<{ id: string }, [ids: string[]]>(
  'api_events_live_credentials',
  `select id from api_keys where id = any ($1::uuid[]) and revoked_at is null and expires_at > now()
   union all
   select id from sessions where id = any ($1::uuid[]) and ended_at is null and expires_at > now()`,
)
