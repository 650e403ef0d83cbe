import { type Db, queryOne } from '#server/database/database.ts'
import { emailKey } from '#server/email-key.ts'
import type { Caller } from '#server/http/caller.ts'
import { Refusal } from '#server/http/refusal.ts'
import { type UserRow, userById } from './queries.ts'

type Request = { email: string; name?: string | undefined; role?: string | undefined; image: string }

const registerUser = queryOne<
  { made: boolean },
  [id: string, role: string, name: string, email: string, emailKey: string, image: string]
>('register_user', 'select register_user($1, $2, $3, $4, $5, $6) as made')

// The second issuer is the demonstration that stands in for Google.
const readOrigin = queryOne<{ google: boolean }, [identityId: string]>(
  'identity_came_by_google',
  `select exists (select from identities join identity_links on identity_id = identities.id
                   where identities.id = $1 and password_hash is null
                     and (issuer = 'https://accounts.google.com' or issuer like '%/demo/google')) as google`,
)

/**
 * Registers the signed-in identity as a Worker or a Buyer with the starting coins (docs/specification/users.md).
 * Returns the existing record of a registered user, whatever the request says.
 * @throws Refusal `not_yours` for another address, `forbidden` for Admin, `invalid_fields` for a Buyer from Google.
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
  if (request.role === 'Buyer' && (await readOrigin(db, caller.identityId)).google) {
    const message = 'Who comes by Google begins as a Worker. An Admin can make you a Buyer.'
    throw new Refusal('invalid_fields', message, { role: message })
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
