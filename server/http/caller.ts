import type { FastifyRequest } from 'fastify'
import { API_KEY_MARK } from '#contract/api-keys.ts'
import type { ApiScope, Role } from '#contract/endpoint.ts'
import type { Locale } from '#contract/locales.ts'
import { Refusal } from './refusal.ts'

/** The registered user who sends a request, as they are stored now. */
export type Viewer = {
  id: string
  name: string
  email: string
  emailKey: string
  role: Role
  /** Whether they may review appeals without being an Admin. */
  isReviewer: boolean
  locale: Locale
  accountId: number
}

/** The bearer of a valid token or API key: an identity, and the user it registered as, if it has. */
export type Caller = {
  identityId: string
  /** Null for an API key. */
  sessionId: string | null
  /** The API key of the request. */
  key: { id: string; scopes: readonly ApiScope[] } | null
  name: string
  email: string
  emailKey: string
  emailVerified: boolean
  /** Whether the session has a recent proof of identity (docs/specification/identity.md#step-up). */
  fresh: boolean
  /** Whether this is an Admin without the second factor that Admins need here. Such an Admin can only set one up. */
  lacksSecondFactor: boolean
  viewer: Viewer | null
}

/** Returns whether a request bears a token that is meant as an API key, not as an ID token. */
export function bearsApiKey({ headers }: FastifyRequest): boolean {
  const [, token] = /^Bearer +(.*)/i.exec(headers.authorization ?? '') ?? []
  return token?.startsWith(API_KEY_MARK) === true
}

/** Returns the session of a caller. @throws Refusal `scope_missing` for an API key, which has none. */
export function sessionOf({ sessionId }: Caller): string {
  if (sessionId === null) throw new Refusal('scope_missing.none')
  return sessionId
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Set by `serve` once the caller is authenticated. */
    caller: Caller | null
  }
}

/** Reads the `Authorization` header of a request. Throws a refusal (401) when it holds no valid token. */
export type Authenticate = (request: FastifyRequest) => Promise<Caller>
