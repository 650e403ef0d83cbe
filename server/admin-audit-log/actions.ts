import type { AuditLogFilter } from '#contract/admin-audit-log.ts'
import { EXPORT_ROWS_MAX } from '#contract/product.ts'
import { Id } from '#contract/shapes.ts'
import { type Db, query, queryOne } from '#server/database/database.ts'
import { beforeCursor } from '#server/database/keyset.ts'
import { emailKey } from '#server/email-key.ts'

export type ActionRow = {
  id: number
  content: string
  hash: Buffer
  admin_name: string | null
  admin_email: string | null
  user_id: string | null
  user_name: string | null
  user_email: string | null
}

/** The latest rows of each table that a search by user covers. */
const SUBJECTS_MAX = 1000

type Shape = { byAdmin: boolean; byAct: boolean; byUser: boolean }

// Of submissions, the latest in each status: their index of workers is by status.
const OF_USER = `content::jsonb ->> 'subject' in (
  select $5::text
  union all (select id::text from withdrawals where worker_id = $5::text::uuid order by id desc limit ${SUBJECTS_MAX})
  union all (select id::text from payments where user_id = $5::text::uuid order by number desc limit ${SUBJECTS_MAX})
  union all (select id::text from tasks where buyer_id = $5::text::uuid order by id desc limit ${SUBJECTS_MAX})
  union all (select id::text from unmatched_payments where user_id = $5::text::uuid order by found_at desc limit ${SUBJECTS_MAX})
  union all (select latest.id::text from unnest(enum_range(null::submission_status)) as state cross join lateral (
    select id from submissions where worker_id = $5::text::uuid and status = state order by id desc limit ${SUBJECTS_MAX}) as latest))`

/** Returns the conditions of a filter: $1 and $2 are the first and last day, $3 the Admin, $4 the action, $5 the user. */
const conditions = ({ byAdmin, byAct, byUser }: Shape) =>
  [
    `content::jsonb ->> 'time' >= coalesce($1::text, '')`,
    `left(content::jsonb ->> 'time', 10) <= coalesce($2::text, '9999')`,
    byAdmin ? `content::jsonb ->> 'admin' = $3` : '$3::text is null',
    byAct ? `content::jsonb ->> 'act' = $4` : '$4::text is null',
    byUser ? OF_USER : '$5::text is null',
  ].join(' and ')

// An action is on a user, or on what belongs to one.
const pageSql = (shape: Shape) => `
  with page as (
    select id, content, content::jsonb as entry, hash from admin_audit_log
     where ${conditions(shape)} and id < ${beforeCursor('$6', 'bigint')} order by id desc limit $7)
  select page.id, page.content, page.hash, admins.name as admin_name, admins.email as admin_email,
         affected.id as user_id, affected.name as user_name, affected.email as user_email
    from page
    cross join lateral (select (entry ->> 'subject')::uuid as id) as subject
    left join users as admins on admins.id = (entry ->> 'admin')::uuid
    left join users as affected on affected.id = coalesce(
      (select id from users where id = subject.id), (select worker_id from withdrawals where id = subject.id),
      (select user_id from payments where id = subject.id), (select buyer_id from tasks where id = subject.id),
      (select worker_id from submissions where id = subject.id),
      (select user_id from unmatched_payments where id = subject.id))
   order by page.id desc`

type FilterValues = [
  from: string | null,
  to: string | null,
  admin: string | null,
  act: string | null,
  user: string | null,
]

const nameOf = ({ byAdmin, byAct, byUser }: Shape) =>
  `${byAdmin ? '_admin' : ''}${byAct ? '_act' : ''}${byUser ? '_user' : ''}`

const STATEMENTS = new Map(
  [0, 1, 2, 3, 4, 5, 6, 7].map((bits) => {
    const shape = { byAdmin: (bits & 1) > 0, byAct: (bits & 2) > 0, byUser: (bits & 4) > 0 }
    const name = nameOf(shape)
    return [
      name,
      {
        page: query<ActionRow, [...FilterValues, before: number | null, limit: number]>(
          `admin_actions_page${name}`,
          pageSql(shape),
        ),
        count: queryOne<{ count: number }, FilterValues>(
          `admin_actions_count${name}`,
          `select count(*) from (
             select from admin_audit_log where ${conditions(shape)} limit ${EXPORT_ROWS_MAX + 1}) as found`,
        ),
      },
    ]
  }),
)

const userOfEmail = query<{ id: string }, [emailKey: string]>(
  'admin_actions_user_of_email',
  'select id from users where email_key = $1',
)

/** The statement and values of a filter; null when its user does not exist. */
export type Search = { values: FilterValues; name: string } | null

/** Resolves the user of a filter. */
export async function searchOf(db: Db, { admin, act, user, from, to }: AuditLogFilter): Promise<Search> {
  const userId = user === undefined ? undefined : await idOf(db, user.trim())
  if (userId === null) return null
  return {
    values: [from ?? null, to ?? null, admin ?? null, act ?? null, userId ?? null],
    name: nameOf({
      byAdmin: admin !== undefined,
      byAct: act !== undefined,
      byUser: userId !== undefined,
    }),
  }
}

async function idOf(db: Db, typed: string): Promise<string | null> {
  const id = Id.safeParse(typed).data
  if (id !== undefined) return id.toLowerCase()
  const [user] = await userOfEmail(db, emailKey(typed) ?? '')
  return user?.id ?? null
}

/** Returns the actions of a search before an entry (null: the newest ones), newest first. */
export async function actionsBefore(
  db: Db,
  search: Search,
  before: number | null,
  limit: number,
): Promise<ActionRow[]> {
  if (search === null) return []
  return (await STATEMENTS.get(search.name)?.page(db, ...search.values, before, limit)) ?? []
}

/** Counts the actions of a search, up to one more than a file may have. */
export async function countActions(db: Db, search: Search): Promise<number> {
  if (search === null) return 0
  return (await STATEMENTS.get(search.name)?.count(db, ...search.values))?.count ?? 0
}

export const auditChain = queryOne<{ checked: number; wrong: number; last_hash: Buffer | null }, []>(
  'audit_log_chain',
  `select checked, wrong, (select hash from admin_audit_log order by id desc limit 1) as last_hash from audit_admin_log()`,
)
