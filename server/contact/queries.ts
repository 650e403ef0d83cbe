import { query, queryOne } from '#server/database/database.ts'
import { beforeCursor } from '#server/database/keyset.ts'

export type ContactRow = {
  id: string
  name: string
  email: string
  subject: string
  message: string
  created_at: string
  answered: boolean
}

export const createContactMessage = query<
  never,
  [id: string, name: string, email: string, subject: string, message: string]
>('contact_message_create', 'select create_contact_message($1, $2, $3, $4, $5)')

export const listContactMessages = query<ContactRow, [after: string | null, limit: number]>(
  'contact_messages_newest_first',
  `select id, name, email, subject, message, created_at, answered_at is not null as answered from contact_messages
    where id < ${beforeCursor('$1', 'uuid')} order by id desc limit $2`,
)

export const markAnswered = queryOne<{ matched: number; modified: number }, [id: string]>(
  'contact_message_mark_answered',
  `with updated as (
     update contact_messages set answered_at = clock_time() where id = $1 and answered_at is null returning id)
   select (select count(*) from contact_messages where id = $1) as matched, (select count(*) from updated) as modified`,
)
