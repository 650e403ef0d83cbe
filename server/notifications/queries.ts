import { PIPELINED, queryOne } from '#server/database/database.ts'
import { beforeCursor } from '#server/database/keyset.ts'
import { queryPackedRows } from '#server/database/row-packing.ts'

export type NotificationRow = {
  id: string
  message: string
  created_at: string
  action_route: string
  read: boolean
}

/** What a person was told, newest first. */
export const notificationsOf = queryPackedRows<
  NotificationRow,
  [emailKey: string, before: number | null, limit: number]
>(
  'notifications_of',
  `select id::text, message, created_at, action_route, read_at is not null as read from notifications
    where user_id = (select id from users where email_key = $1) and notifications.id < ${beforeCursor('$2', 'bigint')}
    order by notifications.id desc limit $3`,
  { id: 'id', message: 'text', created_at: 'time', action_route: 'text', read: 'flag' },
  PIPELINED,
)

/** Marks what was unread up to and with this number (null: all). */
export const markRead = queryOne<{ modified: number }, [emailKey: string, upTo: string | null]>(
  'notifications_mark_read',
  `with marked as (
     update notifications set read_at = clock_time()
      where user_id = (select id from users where email_key = $1) and read_at is null
        and id <= ${beforeCursor('$2', 'bigint')}
      returning id)
   select count(*) as modified from marked`,
)
