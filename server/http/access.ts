import type { Access, ApiScope } from '#contract/endpoint.ts'
import { emailKey } from '#server/email-key.ts'
import type { Caller } from './caller.ts'
import { Refusal } from './refusal.ts'

/** The access rule of an endpoint, and the scope that admits an API key to it. */
type Rule = { access: Access; scope?: ApiScope | undefined }

/**
 * Throws unless the endpoint's access rule admits the caller, by their current role and their latest proof of identity
 * (docs/specification/access.md). An Admin who lacks a required second factor reads only their own data.
 */
export function authorize(
  { access, scope }: Rule,
  caller: Caller | null,
  params: unknown,
  query: unknown,
): void {
  const { who, named, fresh } = access
  if (who === 'anyone') return
  if (caller?.key) authorizeKey(caller.key.scopes, scope)
  if (who !== 'session') authorizeUser(who, named, caller, params, query)
  const needsProof = fresh === true || (fresh === 'for-admins' && caller?.viewer?.role === 'Admin')
  if (needsProof && !caller?.fresh) throw new Refusal('proof_required')
}

function authorizeKey(scopes: readonly ApiScope[], scope: ApiScope | undefined): void {
  if (scope === undefined) throw new Refusal('scope_missing.none')
  if (!scopes.includes(scope)) throw new Refusal('scope_missing', { params: { scope } })
}

function authorizeUser(
  who: Exclude<Access['who'], 'anyone' | 'session'>,
  named: Access['named'],
  caller: Caller | null,
  params: unknown,
  query: unknown,
): void {
  const viewer = caller?.viewer
  if (!viewer) throw new Refusal('not_registered')
  if (who === 'reviewer') {
    if (viewer.role !== 'Admin' && !viewer.isReviewer) throw new Refusal('role_not_allowed.reviewer')
  } else if (who !== 'signed-in' && !who.includes(viewer.role)) {
    throw new Refusal('role_not_allowed', { params: { roles: who } })
  }
  const isOwnData = who === 'signed-in' && named !== undefined
  if (caller.lacksSecondFactor && !isOwnData) throw new Refusal('second_factor_missing')
  if (named === undefined || (viewer.role === 'Admin' && !caller.lacksSecondFactor)) return
  const source = (named === 'path' ? params : query) as { email: string }
  if (emailKey(source.email) !== viewer.emailKey) throw new Refusal('not_yours')
}
