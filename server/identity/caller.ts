import type { Role } from '#contract/endpoint.ts'

/** A registered user as stored in the database now. */
export type Viewer = {
  id: string
  name: string
  email: string
  emailKey: string
  role: Role
  accountId: number
}

/** The sender of an authenticated request: an identity in a session, and its user once registered. */
export type Caller = {
  identityId: string
  sessionId: string
  name: string
  email: string
  emailKey: string
  emailVerified: boolean
  viewer: Viewer | null
}
