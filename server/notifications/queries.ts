import { type Db, PIPELINED, queryOne } from '#server/database/database.ts'
import { beforeCursor } from '#server/database/keyset.ts'
import { queryPackedRows } from '#server/database/row-packing.ts'
import type { NotificationRow } from './present.ts'

/** A row with its parameters as JSON text. */
type PackedRow = Omit<NotificationRow, 'params'> & { params: string | null }

const selectNotifications = queryPackedRows<
  PackedRow,
  [emailKey: string, before: number | null, limit: number]
>(
  'notifications_of',
  `select id::text, kind, params::text, message, action_route, created_at, read_at is not null as read from notifications
    where user_id = (select id from users where email_key = $1) and notifications.id < ${beforeCursor('$2', 'bigint')}
    order by notifications.id desc limit $3`,
  {
    id: 'id',
    kind: 'text',
    params: 'id',
    message: 'id',
    action_route: 'id',
    created_at: 'time',
    read: 'flag',
  },
  PIPELINED,
)

/** Returns a user's notifications, newest first. */
export async function notificationsOf(
  db: Db,
  emailKey: string,
  before: number | null,
  limit: number,
): Promise<NotificationRow[]> {
  const rows = await selectNotifications(db, emailKey, before, limit)
  return rows.map((row) => ({ ...row, params: row.params === null ? null : JSON.parse(row.params) }))
}

/** Marks unread notifications as read, up to and including this number (null: all). */
export const markRead = queryOne<{ modified: number }, [emailKey: string, upTo: string | null]>(
  'notifications_mark_read',
  `with marked as (
     update notifications set read_at = clock_time()
      where user_id = (select id from users where email_key = $1) and read_at is null
        and id <= ${beforeCursor('$2', 'bigint')}
      returning id)
   select count(*) as modified from marked`,
)
