import type * as z from 'zod/mini'
import type { ErrorCode } from './errors.ts'
import type { FormErrorCode } from './form-errors.en.ts'

/** What an API key may be allowed to do (docs/specification/api-keys.md#scopes). */
export const API_SCOPES = ['tasks', 'review', 'payments:read', 'account:read', 'events'] as const

export type Role = 'Worker' | 'Buyer' | 'Admin'
export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
export type ApiScope = (typeof API_SCOPES)[number]
type WriteMethod = Exclude<Method, 'GET'>

/**
 * The access rule of an endpoint (docs/specification/access.md). It has no default: an endpoint without a rule does not
 * compile.
 * - `anyone`: the token is ignored, unless `token` is `optional`: then an Admin's shows emails that are masked for others.
 * - `session`: a signed-in identity, registered or not.
 * - `signed-in`: a registered user of any role.
 * - `reviewer`: an Admin, or a user with the permission to review appeals.
 * - a list of roles: a registered user who currently has one of them.
 * `named`: the `email` in the path or the query must be the caller's own. An Admin whom `who` admits may name any user.
 * `fresh`: the session needs a proof of identity of the last minutes (docs/specification/identity.md#step-up). With
 * `with-second-factor`, only that of an identity with a second factor does, which the endpoint's handler checks. With `for-admins`,
 * only an Admin's does.
 */
export type Access = {
  who: 'anyone' | 'session' | 'signed-in' | 'reviewer' | readonly Role[]
  named?: 'path' | 'query'
  fresh?: true | 'with-second-factor' | 'for-admins'
  token?: 'optional'
}

/** The requests per hour that one user and one network may make (docs/specification/api.md#limits-of-writes). */
export type WriteLimit = { perUser?: number; perNetwork: number }

/** A write without a limit does not compile. Writes of anyone are limited per network only. */
type Guard =
  | { method: 'GET'; access: Access; limit?: undefined }
  | {
      method: WriteMethod
      access: Access & { who: 'anyone' }
      limit: { perUser?: never; perNetwork: number }
    }
  | {
      method: WriteMethod
      access: Access & { who: Exclude<Access['who'], 'anyone'> }
      limit: Required<WriteLimit>
    }

/**
 * The scope that an API key needs for an endpoint. An endpoint without one refuses every key; one that is for Admins only,
 * for sessions, for anyone, or needs a fresh proof cannot have one.
 */
type KeyAccess =
  | { scope?: undefined }
  | {
      scope: ApiScope
      access: Access & {
        who: 'signed-in' | readonly ['Worker' | 'Buyer', ...Role[]]
        fresh?: 'for-admins' | undefined
        token?: undefined
      }
    }

/**
 * The form of a prerendered page, which posts to `/forms` + path before the page's scripts run. The response redirects to
 * `success`, or to `page` with one of `errors`, or `internal`, as the fragment.
 */
export type PageForm = {
  page: string
  success: string
  /** The fields that become the query of `success`. Never a secret. */
  successQuery?: z.ZodMiniType<Record<string, string>>
  /** The page's parameter `returnTo`, a path of this site, replaces `success`. */
  honoursReturnTo?: true
  errors: readonly FormErrorCode[]
}

/**
 * An endpoint's definition. `idempotency: 'own'` marks a write that is idempotent without a key. `'claimed'` marks a write
 * that calls an external service: its response is not stored, but the same key with another body is rejected.
 */
export type Endpoint<
  Params extends z.ZodMiniType = z.ZodMiniType,
  Query extends z.ZodMiniType = z.ZodMiniType,
  Body extends z.ZodMiniType = z.ZodMiniType,
  Reply extends z.ZodMiniType = z.ZodMiniType,
> = Guard &
  KeyAccess & {
    /** Below `/api`, parameters as `:name`. */
    path: string
    summary: string
    params?: Params
    query?: Query
    body?: Body
    /** A body that is not JSON: a form with a file in the field `form`, or the bytes themselves. */
    upload?: { form: string } | 'bytes'
    reply: Reply
    /** Headers of a success with totals of the list in `reply`. */
    totals?: readonly ('x-total-count' | 'x-unread-count')[]
    /** The status of a success response, by default 200. A 303 redirects a browser. */
    status?: 200 | 201 | 202 | 204 | 303
    /** A success may have the status 202 instead, with the same shape: the request is accepted and not completed yet. */
    accepted?: true
    idempotency?: 'own' | 'claimed'
    /** The errors of the operation's own rules. Those that every such endpoint has are added (server/api-docs/operation-errors.ts). */
    errors?: readonly ErrorCode[]
    /** The response is the same for every caller and may be cached for up to a second. Never set for coin balances. */
    shared?: true
    /**
     * The response may lack what others changed in the last second: it may come from a read replica. Users find their own changes
     * in it (docs/decisions/0094-read-replicas.md). Never set for coin balances.
     */
    boundedStaleness?: true
    form?: PageForm
  }

/** Defines an endpoint: the server serves it, the web app calls it, the OpenAPI document is generated from it. */
export function endpoint<const Definition extends Endpoint>(definition: Definition): Definition {
  return definition
}

/** The API's path on the site; paths of endpoints are relative to it. */
export const API_PATH = '/api'

/**
 * The response header of an ID token with the number of the latest event. A page that loads its data with the token opens
 * its first stream with it, and so need not load anything twice.
 */
export const LATEST_EVENT_HEADER = 'x-latest-event'

/** Returns the path of an endpoint on the site, with its parameters filled in. */
export function pathOf({ path }: { path: string }, params: Record<string, unknown> = {}): string {
  return API_PATH + path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(String(params[name])))
}

/** Returns the path that the form of an endpoint's page posts to. */
export function formAction({ path }: { path: string }): string {
  return `/forms${path}`
}

/** The parsed type of a part of an endpoint; undefined where the endpoint has no such part. */
export type PartOf<E, Part extends string> = E extends {
  readonly [P in Part]: infer Schema extends z.ZodMiniType
}
  ? z.output<Schema>
  : undefined
