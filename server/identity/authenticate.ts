import pg from 'pg'
import type { Role } from '#contract/endpoint.ts'
import { knownLocale } from '#contract/locales.ts'
import { createKeyAuthenticate } from '#server/api-keys/authenticate.ts'
import type { Config } from '#server/config.ts'
import { type Database, PIPELINED, query } from '#server/database/database.ts'
import { type Authenticate, bearsApiKey } from '#server/http/caller.ts'
import { asRefusal } from '#server/http/errors.ts'
import { Refusal } from '#server/http/refusal.ts'
import { createExternalIdTokenVerifier } from './openid/external-id-token.ts'
import type { SigningKeys } from './signing-keys.ts'
import { PROOF_MINUTES } from './step-up.ts'

type CallerRow = {
  name: string
  email: string
  email_key: string
  email_verified: boolean
  fresh: boolean
  is_unprotected_admin: boolean
  user_id: string | null
  user_name: string
  user_email: string
  user_email_key: string
  role: Role
  is_reviewer: boolean
  locale: string
  account_id: number
}

const readCaller = query<CallerRow, [sessionId: string, identityId: string]>(
  'caller_of_session',
  `select identities.name, identities.email, identities.email_key,
          identities.email_verified_at is not null as email_verified,
          sessions.proved_at > now() - interval '${PROOF_MINUTES} minutes' as fresh,
          case when users.role = 'Admin'
               then (select id from second_factors where second_factors.identity_id = sessions.identity_id limit 1) is null
               else false end as is_unprotected_admin,
          users.id as user_id, users.name as user_name, users.email as user_email,
          users.email_key as user_email_key, users.role, users.is_reviewer, users.locale, users.account_id
     from sessions join identities on identities.id = sessions.identity_id
     left join users on users.id = sessions.identity_id
    where sessions.id = $1 and sessions.identity_id = $2 and sessions.ended_at is null
      and sessions.expires_at > now() and users.deleted_at is null`,
  PIPELINED,
)

const TOKEN_LENGTH_MAX = 8000
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/**
 * Returns a function that authenticates `Authorization: Bearer <API key or ID token>`. An ID token must be issued by this server or
 * by the configured external issuer and unexpired, its session open and its user not deleted. Name and role are read
 * from the database, not from the token.
 * @throws Refusal `sign_in_required` without a token, `invalid_token` for an invalid one, `network_not_allowed`.
 */
export function createAuthenticate(database: Database, keys: SigningKeys, config: Config): Authenticate {
  const externalSession = createExternalIdTokenVerifier(database, config)

  const authenticateKey = createKeyAuthenticate(database)

  return async (request) => {
    const header = request.headers.authorization
    if (header === undefined || header === '') throw new Refusal('sign_in_required')
    const [, token] = /^Bearer +([\w.-]+)$/i.exec(header) ?? []
    if (token === undefined || token.length > TOKEN_LENGTH_MAX) throw invalidToken()
    if (bearsApiKey(request)) return authenticateKey(token, request)
    const { sid, sub } =
      (await externalSession(token, request).catch(toInvalidToken)) ?? (await claimsOf(token, keys))
    const [row] = await readCaller(database, sid, sub)
    if (row === undefined) throw invalidToken()
    return {
      identityId: sub,
      sessionId: sid,
      key: null,
      name: row.name,
      email: row.email,
      emailKey: row.email_key,
      emailVerified: row.email_verified,
      fresh: row.fresh,
      lacksSecondFactor: config.adminSecondFactor === 'required' && row.is_unprotected_admin,
      viewer:
        row.user_id === null
          ? null
          : {
              id: row.user_id,
              name: row.user_name,
              email: row.user_email,
              emailKey: row.user_email_key,
              role: row.role,
              isReviewer: row.is_reviewer,
              locale: knownLocale(row.locale),
              accountId: row.account_id,
            },
    }
  }
}

async function claimsOf(token: string, keys: SigningKeys): Promise<{ sub: string; sid: string }> {
  const { sub, sid } = await keys.verify(token).catch(toInvalidToken)
  if (sub === undefined || typeof sid !== 'string' || !UUID.test(sub) || !UUID.test(sid)) throw invalidToken()
  return { sub, sid }
}

/** Rethrows refusals and database errors; every other error means that the token is invalid. */
function toInvalidToken(error: unknown): never {
  throw asRefusal(error).code === 'internal' && !(error instanceof pg.DatabaseError) ? invalidToken() : error
}

function invalidToken(): Refusal {
  return new Refusal('invalid_token')
}
