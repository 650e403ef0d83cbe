import type { Role } from '#contract/endpoint.ts'
import type { BuyerRecord, WorkerRecord } from '#contract/records.ts'
import { type Db, query } from '#server/database/database.ts'
import { beforeCursor } from '#server/database/keyset.ts'
import { hasNoWord, searchWords } from '#server/database/search-words.ts'

export type PublicRow = { id: string; name: string; email: string; image: string; role: Role }
export type ProfileRow = PublicRow & { buyer_record: BuyerRecord | null; worker_record: WorkerRecord | null }

/** The records of the user `users`, as columns. */
export const RECORDS = `(select record from buyer_records where buyer_id = users.id) as buyer_record,
  (select jsonb_build_object('approved', approved, 'rejected', rejected)
     from worker_records where worker_id = users.id) as worker_record`

type Values = [limit: number, after: string | null, role: Role | null, words: string | null]

// One statement for each combination of filters, each with an index. Callers who cannot see emails neither search by them
// nor see Admins: the second half.
const ROLE = ['$3::text is null', 'role = $3::user_role']
const WORDS = [
  '$4::text is null',
  `search @@ to_tsquery('simple', $4)`,
  `$4::text is null and role <> 'Admin'`,
  `search @@ to_tsquery('simple', $4) and role <> 'Admin'
    and to_tsvector('simple', regexp_replace(name, '[[:punct:]]', ' ', 'g')) @@ to_tsquery('simple', $4)`,
]
const STATEMENTS = ROLE.map((role, roleIndex) =>
  WORDS.map((words, wordsIndex) =>
    query<ProfileRow, Values>(
      `users_list_${roleIndex}_${wordsIndex}`,
      `select id, name, email, image, role, ${RECORDS} from users
        where deleted_at is null and id < ${beforeCursor('$2', 'uuid')} and ${role} and ${words}
        order by id desc limit $1`,
    ),
  ),
)

const BY_APPROVED = WORDS.map((words, index) =>
  query<ProfileRow, [limit: number, approved: number | null, after: string | null, words: string | null]>(
    `users_by_approved_${index}`,
    `select id, name, email, image, role, ${RECORDS} from worker_records join users on id = worker_id
      where deleted_at is null and role = 'Worker' and ${words}
        and (approved, worker_id) < (${beforeCursor('$2', 'bigint')}, ${beforeCursor('$3', 'uuid')})
      order by approved desc, worker_id desc limit $1`,
  ),
)

// The users that are not in the list above, newest first. The subquery is one lookup per row of the page; an anti-join reads all records.
const WITHOUT_APPROVED = ROLE.map((role, roleIndex) =>
  WORDS.map((words, wordsIndex) =>
    query<ProfileRow, Values>(
      `users_without_approved_${roleIndex}_${wordsIndex}`,
      `select id, name, email, image, role, ${RECORDS} from users
        where deleted_at is null and id < ${beforeCursor('$2', 'uuid')} and ${role} and ${words}
          and (role <> 'Worker' or (select true from worker_records where worker_id = users.id) is null)
        order by id desc limit $1`,
    ),
  ),
)

type Filter = { q?: string | undefined; role?: Role | undefined; seesEmails: boolean }

/** Returns a page of users, newest first, after the user with the id `after` (null: the first page). */
export async function listUsers(
  db: Db,
  { q = '', role, seesEmails }: Filter,
  after: string | null,
  limit: number,
): Promise<ProfileRow[]> {
  if (hasNoWord(q)) return []
  const words = searchWords(q)
  const statement = STATEMENTS[role === undefined ? 0 : 1]?.[wordsIndex(words, seesEmails)]
  if (statement === undefined) throw new Error('No statement for this combination of filters')
  return statement(db, limit, after, role ?? null, words)
}

/** The place in the list by approved work of a user who has none that is decided. */
const NONE_DECIDED = -1

/** Returns the number by which a user is listed by approved work, as a part of the cursor. */
export const approvedKey = ({ role, worker_record }: ProfileRow): number =>
  role === 'Worker' && worker_record !== null ? worker_record.approved : NONE_DECIDED

/**
 * Returns a page of users: Workers with decided work, most approved first, then all others, newest first. It begins after
 * the user with this key (`approvedKey`) and id (null: the first page).
 */
export async function listByApproved(
  db: Db,
  { q = '', role, seesEmails }: Filter,
  after: { approved: number | null; id: string | null },
  limit: number,
): Promise<ProfileRow[]> {
  if (hasNoWord(q)) return []
  const words = searchWords(q)
  const index = wordsIndex(words, seesEmails)
  const [byApproved, others] = [BY_APPROVED[index], WITHOUT_APPROVED[role === undefined ? 0 : 1]?.[index]]
  if (byApproved === undefined || others === undefined)
    throw new Error('No statement for this combination of filters')
  const isPastApproved = after.approved === NONE_DECIDED
  const first =
    isPastApproved || (role ?? 'Worker') !== 'Worker'
      ? []
      : await byApproved(db, limit, after.approved, after.id, words)
  if (first.length === limit) return first
  return [
    ...first,
    ...(await others(db, limit - first.length, isPastApproved ? after.id : null, role ?? null, words)),
  ]
}

const wordsIndex = (words: string | null, seesEmails: boolean) =>
  (seesEmails ? 0 : 2) + (words === null ? 0 : 1)
