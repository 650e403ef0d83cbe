import type { FastifyRequest } from 'fastify'
import type { Role } from '#contract/endpoint.ts'

/** The registered user who sends a request, as they are stored now. */
export type Viewer = {
  id: string
  name: string
  email: string
  emailKey: string
  role: Role
  /** Whether they may review appeals without being an Admin. */
  isReviewer: boolean
  accountId: number
}

/** The bearer of a valid token: an identity in a session, and the user it registered as, if it has. */
export type Caller = {
  identityId: string
  sessionId: string
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

declare module 'fastify' {
  interface FastifyRequest {
    /** Set by `serve` once the caller is authenticated. */
    caller: Caller | null
  }
}

/** Reads the `Authorization` header of a request. Throws a refusal (401) when it holds no valid token. */
export type Authenticate = (request: FastifyRequest) => Promise<Caller>
