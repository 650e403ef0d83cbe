import { PIPELINED, queryOne } from '#server/database/database.ts'
import { beforeCursor } from '#server/database/keyset.ts'
import { queryPackedRows } from '#server/database/row-packing.ts'
import type { NotificationRow } from './present.ts'

/** Returns a user's notifications, newest first. */
export const notificationsOf = queryPackedRows<
  NotificationRow,
  [emailKey: string, before: number | null, limit: number]
>(
  'notifications_of',
  `select id::text, kind, params, message, action_route, ref, created_at, read_at is not null as read from notifications
    where user_id = (select id from users where email_key = $1) and notifications.id < ${beforeCursor('$2', 'bigint')}
    order by notifications.id desc limit $3`,
  {
    id: 'id',
    kind: 'text',
    params: 'json',
    message: 'id',
    action_route: 'id',
    ref: 'id',
    created_at: 'time',
    read: 'flag',
  },
  PIPELINED,
)

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
