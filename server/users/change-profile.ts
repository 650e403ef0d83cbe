import { query, type Tx } from '#server/database/database.ts'
import { Refusal } from '#server/http/refusal.ts'

export type Profile = { name: string; image: string }

const changeProfile = query<{ name_before: string }, [id: string, name: string, image: string]>(
  'user_change_profile',
  `update users set name = $2, image = $3
     from (select id, name from users where id = $1 and deleted_at is null for no key update) as before
    where users.id = before.id returning before.name as name_before`,
)

/** Changes a user's name and picture. Returns the name before. */
export async function changeUserProfile(tx: Tx, id: string, { name, image }: Profile): Promise<string> {
  const [row] = await changeProfile(tx, id, name, image)
  if (row === undefined) throw new Refusal('user_not_found')
  return row.name_before
}
