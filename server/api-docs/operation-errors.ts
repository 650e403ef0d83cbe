import type { Access, Endpoint } from '#contract/endpoint.ts'
import { type ErrorCode, STATUS_OF } from '#contract/errors.ts'

/**
 * Returns the errors of an endpoint, by status: those that `serve` has for its access, its shapes and its limits, and
 * those of its own rules that the contract declares. Only endpoints that API keys may use declare theirs
 * (docs/decisions/0070-api-documentation.md).
 */
export function errorsOf(endpoint: Endpoint): ErrorCode[] {
  const { method, access, scope, params, query, body, limit, idempotency } = endpoint
  const isWrite = method !== 'GET'
  const codes = new Set<ErrorCode>([
    'invalid_request',
    ...(access.who === 'anyone' ? [] : accessErrors(access, scope !== undefined)),
    ...(isWrite ? (['wrong_origin'] as const) : []),
    ...(params ? (['not_found'] as const) : []),
    ...(query || body ? (['invalid_fields'] as const) : []),
    // A body is parsed whether the endpoint reads it or not.
    ...(isWrite ? (['invalid_json', 'body_too_large', 'unsupported_media_type'] as const) : []),
    ...(isWrite && idempotency !== 'own' ? (['idempotency_key_reused'] as const) : []),
    ...(endpoint.errors ?? []),
    ...(limit || scope ? (['too_many_requests'] as const) : []),
    'internal',
    'unavailable',
  ])
  return [...codes].toSorted((one, other) => STATUS_OF[one] - STATUS_OF[other])
}

/** Returns whether an access rule admits Admins. */
export const admitsAdmins = ({ who }: Access) => typeof who === 'string' || who.includes('Admin')

function accessErrors(access: Access, admitsApiKeys: boolean): ErrorCode[] {
  const { who, named, fresh } = access
  const needsUser = who !== 'session'
  return [
    'sign_in_required',
    'invalid_token',
    'scope_missing',
    ...(admitsApiKeys ? (['network_not_allowed'] as const) : []),
    ...(needsUser ? (['not_registered'] as const) : []),
    ...(needsUser && who !== 'signed-in' ? (['role_not_allowed'] as const) : []),
    ...(needsUser && admitsAdmins(access) ? (['second_factor_missing'] as const) : []),
    ...(named ? (['not_yours'] as const) : []),
    ...(fresh ? (['proof_required'] as const) : []),
  ]
}
