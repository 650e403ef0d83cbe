import { type Db, query } from '#server/database/database.ts'
import { Refusal } from '#server/http/refusal.ts'
import { emailKey } from './email-key.ts'
import { attempts } from './gate.ts'
import { isPassword } from './password.ts'
import {
  consumeRateLimit,
  hashed,
  type Limit,
  networkOf,
  refundRateLimit,
  resetRateLimit,
  throwRateLimited,
} from './rate-limit.ts'

const readIdentity = query<
  {
    id: string
    name: string
    email: string
    password_hash: string | null
    email_verified: boolean
    deleted: boolean
    version: number
  },
  [emailKey: string]
>(
  'identity_for_sign_in',
  `select identities.id, identities.name, identities.email, password_hash,
          email_verified_at is not null as email_verified, users.deleted_at is not null as deleted,
          credentials_version as version
     from identities left join users on users.id = identities.id where identities.email_key = $1`,
)
const knownNetwork = query<{ known: boolean }, [emailKey: string, network: string]>(
  'identity_knows_network',
  `select exists (select from sessions join identities on identities.id = identity_id
                   where identities.email_key = $1 and network = $2) as known`,
)

type Credentials = { email: string; password: string }
type Identity = {
  id: string
  name: string
  email: string
  emailKey: string
  emailVerified: boolean
  /** Of the credentials that were checked. */
  version: number
}

/**
 * Checks e-mail and password. Unknown, deleted, wrong: one answer, after the same work. Failures are counted per
 * address and network, per network, and, generously, per address alone; that last count does not stop the places from
 * where the person signed in before, so that a stranger cannot lock them out.
 * @throws Refusal `wrong_credentials`, `too_many_requests`, `unavailable`.
 */
export async function signIn(db: Db, ip: string, credentials: Credentials): Promise<Identity> {
  return attempts(() => check(db, ip, credentials))
}

async function check(db: Db, ip: string, { email, password }: Credentials): Promise<Identity> {
  const key = emailKey(email) ?? ''
  const network = networkOf(ip)
  const here: Limit = { key: `sign-in:${hashed(key)}:${network}`, max: 10, seconds: 900 }
  const anywhere: Limit = { key: `sign-in:${hashed(key)}`, max: 300, seconds: 3600, soft: true }
  const fromHere: Limit = { key: `sign-in:${network}`, max: 200, seconds: 900 }
  const limits = [here, anywhere, fromHere]

  for (const { limit, resetsAt } of await consumeRateLimit(db, limits)) {
    const [asked] = limit === anywhere ? await knownNetwork(db, key, network) : []
    if (!asked?.known) throwRateLimited(resetsAt)
  }

  const [identity] = await readIdentity(db, key)
  const right = await isPassword(password, identity?.password_hash ?? null)
  if (!right || identity === undefined || identity.deleted) {
    throw new Refusal('wrong_credentials', 'Email or password is wrong.')
  }
  await refundRateLimit(db, [anywhere, fromHere])
  await resetRateLimit(db, here.key)
  return {
    id: identity.id,
    name: identity.name,
    email: identity.email,
    emailKey: key,
    emailVerified: identity.email_verified,
    version: identity.version,
  }
}
