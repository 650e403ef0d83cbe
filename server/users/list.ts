import type { Role } from '#contract/endpoint.ts'
import { type Db, query } from '#server/database/database.ts'
import { beforeCursor } from '#server/database/keyset.ts'
import { searchWords } from '#server/database/search-words.ts'

export type PublicRow = { id: string; name: string; email: string; image: string; role: Role }

type Values = [limit: number, after: string | null, role: Role | null, words: string | null]

// One statement for each combination, each of which an index answers. A stranger who is shown no addresses cannot find
// people by them either.
const ROLE = ['$3::text is null', 'role = $3::user_role']
const WORDS = [
  '$4::text is null',
  `search @@ to_tsquery('simple', $4)`,
  `search @@ to_tsquery('simple', $4) and to_tsvector('simple', name) @@ to_tsquery('simple', $4)`,
]
const STATEMENTS = ROLE.map((role, one) =>
  WORDS.map((words, two) =>
    query<PublicRow, Values>(
      `users_list_${one}_${two}`,
      `select id, name, email, image, role from users
        where deleted_at is null and id < ${beforeCursor('$2', 'uuid')} and ${role} and ${words}
        order by id desc limit $1`,
    ),
  ),
)

type Filter = { q?: string | undefined; role?: Role | undefined; byNameOnly: boolean }

/** People of the marketplace, newest first, after the one with this id (null: from the beginning). */
export function listUsers(
  db: Db,
  { q = '', role, byNameOnly }: Filter,
  after: string | null,
  limit: number,
): Promise<PublicRow[]> {
  const words = searchWords(q)
  const statement = STATEMENTS[role === undefined ? 0 : 1]?.[words === null ? 0 : byNameOnly ? 2 : 1]
  if (statement === undefined) throw new Error('There is no such list of users')
  return statement(db, limit, after, role ?? null, words)
}
