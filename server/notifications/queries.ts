import { UNREAD_MAX } from '#contract/notifications.ts'
import { PIPELINED, queryOne } from '#server/database/database.ts'
import { beforeCursor } from '#server/database/keyset.ts'
import { queryPackedRows } from '#server/database/row-packing.ts'
import type { NotificationRow } from './present.ts'

const COLUMNS = {
  id: 'id',
  kind: 'text',
  params: 'json',
  message: 'id',
  action_route: 'id',
  ref: 'id',
  created_at: 'time',
  read: 'flag',
} as const

/** Returns a user's notifications, newest first. */
export const notificationsOf = queryPackedRows<
  NotificationRow,
  [emailKey: string, before: number | null, limit: number]
>(
  'notifications_of',
  `select id::text, kind, params, message, action_route, ref, created_at, read_at is not null as read from notifications
    where user_id = (select id from users where email_key = $1) and notifications.id < ${beforeCursor('$2', 'bigint')}
    order by notifications.id desc limit $3`,
  COLUMNS,
  PIPELINED,
)

/** Counts a user's unread notifications, up to UNREAD_MAX. */
export const countUnread = queryOne<{ unread: number }, [emailKey: string]>(
  'notifications_count_unread',
  `select count(*) as unread from (
     select from notifications where user_id = (select id from users where email_key = $1) and read_at is null
      order by notifications.id desc limit ${UNREAD_MAX}) as counted`,
  PIPELINED,
)

type Page = [user: string, before: number | null, limit: number]

const myNotifications = <Given extends readonly unknown[]>(name: string, condition: string) =>
  queryPackedRows<NotificationRow, Given>(
    name,
    `select id::text, kind, params, message, action_route, ref, created_at, read_at is not null as read
       from notifications where user_id = $1 and notifications.id < ${beforeCursor('$2', 'bigint')}${condition}
      order by notifications.id desc limit $3`,
    COLUMNS,
    PIPELINED,
  )

/** Return a user's notifications, newest first: all of them, those of some kinds, and the unread ones of either. */
export const MY_NOTIFICATIONS = {
  all: myNotifications<Page>('my_notifications', ''),
  unread: myNotifications<Page>('my_notifications_unread', ' and read_at is null'),
  ofKinds: myNotifications<[...Page, kinds: string[]]>('my_notifications_of_kinds', ' and kind = any ($4)'),
  unreadOfKinds: myNotifications<[...Page, kinds: string[]]>(
    'my_notifications_unread_of_kinds',
    ' and read_at is null and kind = any ($4)',
  ),
}

/** Marks some of a user's notifications read or unread. */
export const setRead = queryOne<{ modified: number }, [user: string, ids: string[], read: boolean]>(
  'notifications_set_read',
  `with marked as (
     update notifications set read_at = case when $3 then clock_time() end
      where user_id = $1 and id = any ($2::bigint[]) and (read_at is not null) <> $3
      returning id)
   select count(*) as modified from marked`,
)

/** Marks unread notifications of these kinds (null: of all) as read, up to and including this number (null: all). */
export const markRead = queryOne<
  { modified: number },
  [emailKey: string, upTo: string | null, kinds: string[] | null]
>(
  'notifications_mark_read',
  `with marked as (
     update notifications set read_at = clock_time()
      where user_id = (select id from users where email_key = $1) and read_at is null
        and id <= ${beforeCursor('$2', 'bigint')} and ($3::text[] is null or kind = any ($3))
      returning id)
   select count(*) as modified from marked`,
)
