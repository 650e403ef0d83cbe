import type { Locale } from '#contract/locales.ts'
import { query, type Tx } from '#server/database/database.ts'
import { Refusal } from '#server/http/refusal.ts'

/** What is changed; the rest stays. */
export type Profile = {
  name?: string | undefined
  image?: string | undefined
  locale?: Locale | undefined
}

const changeProfile = query<
  { name_before: string },
  [id: string, name: string | null, image: string | null, locale: Locale | null]
>(
  'user_change_profile',
  `update users set name = coalesce($2, users.name), image = coalesce($3, image), locale = coalesce($4, locale)
     from (select id, name from users where id = $1 and deleted_at is null for no key update) as before
    where users.id = before.id returning before.name as name_before`,
)

/** Changes a user's name, picture and language. Returns the name before. */
export async function changeUserProfile(
  tx: Tx,
  id: string,
  { name, image, locale }: Profile,
): Promise<string> {
  const [row] = await changeProfile(tx, id, name ?? null, image ?? null, locale ?? null)
  if (row === undefined) throw new Refusal('user_not_found')
  return row.name_before
}
