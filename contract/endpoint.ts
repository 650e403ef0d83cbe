import type * as z from 'zod/mini'

export type Role = 'Worker' | 'Buyer' | 'Admin'
export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/**
 * Who may call (docs/specification/access.md). There is no default: an endpoint without a rule does not compile.
 * - `anyone`: no token is looked at.
 * - `session`: a signed-in identity, with or without a user record yet (only registration needs this).
 * - `signed-in`: a person with a user record, any role.
 * - a list of roles: a person whose record has one of them now.
 * `named`: the `email` in the path or the query must be the caller's own; an Admin (where `who` lets them in) may
 * name anybody.
 */
export type Access = {
  who: 'anyone' | 'session' | 'signed-in' | readonly Role[]
  named?: 'path' | 'query'
}

/** The parts of an endpoint. `idempotency: 'own'` marks a write that guards itself; `'claimed'`, one that calls
 * the outside world: its key is only claimed, and the same key with another body is refused. */
export type Endpoint<
  Params extends z.ZodMiniType = z.ZodMiniType,
  Query extends z.ZodMiniType = z.ZodMiniType,
  Body extends z.ZodMiniType = z.ZodMiniType,
  Reply extends z.ZodMiniType = z.ZodMiniType,
> = {
  method: Method
  /** Below `/api`, parameters as `:name`. */
  path: string
  summary: string
  access: Access
  params?: Params
  query?: Query
  body?: Body
  reply: Reply
  /** The status of a good answer; 200 unless said. A 303 is a page to visit, whose answer says where to go. */
  status?: 200 | 201 | 202 | 204 | 303
  idempotency?: 'own' | 'claimed'
  /** The answer is the same for everybody, and under load may be up to a second old. Never for anybody's coins. */
  shared?: true
}

/** An endpoint is a value: the server serves it, the web app calls it, the OpenAPI document is made of it. */
export function endpoint<const Definition extends Endpoint>(definition: Definition): Definition {
  return definition
}

/** The API's path on the site; paths of endpoints are relative to it. */
export const API_PATH = '/api'

/** Returns the path of an endpoint on the site, with its parameters filled in. */
export function pathOf({ path }: { path: string }, params: Record<string, unknown> = {}): string {
  return API_PATH + path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(String(params[name])))
}

/** What a part of an endpoint is after it was parsed; undefined where the endpoint has no such part. */
export type PartOf<E, Part extends string> = E extends {
  readonly [P in Part]: infer Schema extends z.ZodMiniType
}
  ? z.output<Schema>
  : undefined
