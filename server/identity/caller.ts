import type { Role } from '#contract/endpoint.ts'

/** A registered person as they are now in the server's own record. */
export type Viewer = {
  id: string
  name: string
  email: string
  emailKey: string
  role: Role
  accountId: number
}

/** Whoever holds a valid token: an identity in a session, and the person they registered as, if they have. */
export type Caller = {
  identityId: string
  sessionId: string
  name: string
  email: string
  emailKey: string
  emailVerified: boolean
  viewer: Viewer | null
}
