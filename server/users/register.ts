import { type Db, queryOne } from '#server/database/database.ts'
import { Refusal } from '#server/http/refusal.ts'
import type { Caller } from '#server/identity/caller.ts'
import { emailKey } from '#server/identity/email-key.ts'
import { type UserRow, userById } from './queries.ts'

type Request = { email: string; name?: string | undefined; role?: string | undefined; image: string }

const registerUser = queryOne<
  { made: boolean },
  [id: string, role: string, name: string, email: string, emailKey: string, image: string]
>('register_user', 'select register_user($1, $2, $3, $4, $5, $6) as made')

/**
 * The signed-in identity becomes a Worker or a Buyer, once, with the product's starting coins. Who already is somebody
 * gets their existing record, whatever they ask for (decisions.md §2). Nobody signs up as an Admin.
 */
export async function register(
  db: Db,
  caller: Caller,
  request: Request,
): Promise<{ made: boolean; user: UserRow }> {
  if (emailKey(request.email) !== caller.emailKey) {
    throw new Refusal('not_yours', 'You can only register the address you are signed in with.')
  }
  const [existing] = await userById(db, caller.identityId)
  if (existing !== undefined) return { made: false, user: existing }

  if (request.role === 'Admin') throw new Refusal('forbidden', 'Sign up as a Worker or a Buyer.')
  if (request.role === undefined) {
    throw new Refusal('invalid_fields', 'User type is required', { role: 'User type is required' })
  }
  const { identityId, name, email, emailKey: key } = caller
  const { made } = await registerUser(
    db,
    identityId,
    request.role,
    request.name ?? name,
    email,
    key,
    request.image,
  )
  const [user] = await userById(db, identityId)
  if (user === undefined) throw new Error(`${identityId} was registered and is not there`)
  return { made, user }
}
