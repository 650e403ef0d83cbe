import type { Role } from '#contract/endpoint.ts'
import { DEFAULT_LOCALE, type Locale } from '#contract/locales.ts'
import { BUYER_WALLET, STARTING_COINS } from '#contract/product.ts'
import { type Db, query, queryOne } from '#server/database/database.ts'
import { emailKey } from '#server/email-key.ts'
import type { Caller } from '#server/http/caller.ts'
import { Refusal } from '#server/http/refusal.ts'
import { type UserRow, userById } from './queries.ts'

type Request = {
  email: string
  name?: string | undefined
  role?: Role | undefined
  image: string
  locale: Locale
}

export type NewUser = { id: string; role: Role; name: string; email: string; emailKey: string; image: string }

const registerUserStatement = queryOne<
  { created: boolean },
  [
    id: string,
    role: string,
    name: string,
    email: string,
    emailKey: string,
    image: string,
    coins: number,
    wallet: number,
  ]
>('register_user', 'select register_user($1, $2, $3, $4, $5, $6, $7, $8) as created')

const setLocale = query<never, [id: string, locale: Locale]>(
  'user_set_locale',
  'update users set locale = $2 where id = $1',
)

/**
 * Makes an identity a user with the starting coins of their role. Returns false if it is one already.
 * @throws Refusal `not_yours` for an email that the identity no longer has.
 */
export async function registerUser(db: Db, user: NewUser): Promise<boolean> {
  const { id, role, name, email, emailKey: key, image } = user
  const wallet = role === 'Buyer' ? BUYER_WALLET : 0
  const { created } = await registerUserStatement(
    db,
    id,
    role,
    name,
    email,
    key,
    image,
    STARTING_COINS[role],
    wallet,
  )
  return created
}

/**
 * Registers the signed-in identity as a Worker or a Buyer with the starting coins (docs/specification/users.md).
 * Returns the existing user unchanged if there is one.
 * @throws Refusal `not_yours` for another email, `forbidden` for the role Admin, `invalid_fields` without a role.
 */
export async function register(
  db: Db,
  caller: Caller,
  request: Request,
): Promise<{ created: boolean; user: UserRow }> {
  if (emailKey(request.email) !== caller.emailKey) {
    throw new Refusal('not_yours.registration')
  }
  const [existing] = await userById(db, caller.identityId)
  if (existing !== undefined) return { created: false, user: existing }

  if (request.role === 'Admin') throw new Refusal('forbidden.admin_sign_up')
  if (request.role === undefined) throw new Refusal('invalid_fields.user_type', { field: 'role' })
  const { identityId, name, email, emailKey: key } = caller
  const created = await registerUser(db, {
    id: identityId,
    role: request.role,
    name: request.name ?? name,
    email,
    emailKey: key,
    image: request.image,
  })
  if (created && request.locale !== DEFAULT_LOCALE) await setLocale(db, identityId, request.locale)
  const [user] = await userById(db, identityId)
  if (user === undefined) throw new Error(`User ${identityId} is missing after registration`)
  return { created, user }
}
