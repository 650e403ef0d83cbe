import type { Config } from '#server/config.ts'
import { type Db, queryOne } from '#server/database/database.ts'
import type { Caller } from '#server/http/caller.ts'
import { issuersOf } from './providers.ts'

const readSignInMethods = queryOne<
  { has_password: boolean; has_second_factor: boolean; issuers: string[] },
  [id: string]
>(
  'identity_sign_in_methods',
  `select password_hash is not null as has_password,
          exists (select from second_factors where identity_id = identities.id) as has_second_factor,
          array(select distinct issuer from identity_links where identity_id = identities.id) as issuers
     from identities where id = $1`,
)

/** Returns how a user signs in, for the account page. */
export async function presentIdentity(db: Db, config: Config, caller: Caller) {
  const {
    has_password: hasPassword,
    has_second_factor: hasSecondFactor,
    issuers,
  } = await readSignInMethods(db, caller.identityId)
  const labelOf = new Map(issuersOf(config).map(({ url, label }) => [url.replace(/\/$/, ''), label]))
  return {
    email: caller.email,
    name: caller.name,
    emailVerified: caller.emailVerified,
    hasPassword,
    hasSecondFactor,
    linkedTo: issuers.map((issuer) => labelOf.get(issuer.replace(/\/$/, '')) ?? new URL(issuer).host),
  }
}
