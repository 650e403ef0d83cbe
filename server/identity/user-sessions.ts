import { type Db, query, queryOne } from '#server/database/database.ts'
import type { Client } from '#server/http/client.ts'
import { Refusal } from '#server/http/refusal.ts'
import { type ListedSession, listSessions } from './sessions.ts'

type UserRow = { name: string; email: string }

const readUser = query<UserRow, [id: string]>(
  'user_of_sessions',
  'select name, email from users where id = $1 and deleted_at is null',
)
const endSessionsStatement = queryOne<
  { ended: number },
  [user: string, session: string | null, admin: string, network: string, device: string]
>('end_user_sessions', 'select end_user_sessions($1, $2, $3, $4, $5) as ended')

/** Returns a user with their open sessions, most recently used first. @throws Refusal `user_not_found`. */
export async function sessionsOfUser(
  db: Db,
  userId: string,
): Promise<{ user: UserRow; sessions: ListedSession[] }> {
  const [user] = await readUser(db, userId)
  if (user === undefined) throw new Refusal('user_not_found')
  return { user, sessions: await listSessions(db, userId) }
}

/**
 * Ends one session of a user, or all of them, for an Admin. Returns how many ended.
 * @throws Refusal `user_not_found`, `not_found` for a session that has ended.
 */
export async function endUserSessions(
  db: Db,
  userId: string,
  sessionId: string | null,
  adminId: string,
  { network, device }: Client,
): Promise<number> {
  const { ended } = await endSessionsStatement(db, userId, sessionId, adminId, network, device)
  return ended
}
