import { issueToken } from '#contract/auth.ts'
import { LATEST_EVENT_HEADER, pathOf } from '#contract/endpoint.ts'
import { dropEarlyResponses, takeEarlyResponse } from '#web/lib/early-responses.ts'
import { claimsOf } from '#web/lib/id-token-claims.ts'

/** The claims of the ID token that identify the user. */
export type Identity = { id: string; email: string; name: string }
type CachedToken = {
  token: string
  identity: Identity
  renewAt: number
  /** The latest live event when the token was issued: data that is loaded with it is newer. */
  latestEvent: string | null
}

/** The ID token, kept only in memory. `undefined`: not fetched yet; `null`: nobody is signed in. */
let cached: CachedToken | null | undefined
let pending: Promise<CachedToken | null> | null = null
/** The email of the identity that the last token was for; undefined when nobody was signed in, or the session changed. */
let lastEmail: string | undefined
/** How often the session has changed. A token that was requested before is not used. */
let generation = 0
const listeners = new Set<(identity: Identity | null) => void>()

/** Read by the inline script of web/root.tsx too, so that a signed-in user does not see the sign-in buttons flash. */
export const RETURNING_KEY = 'returning'

/** Returns whether a user was signed in in this browser when the session was last read. */
export function wasSignedIn(): boolean {
  try {
    return localStorage.getItem(RETURNING_KEY) === '1'
  } catch {
    return false // The browser blocks the data of sites, and with it the session.
  }
}

/** The token is renewed this long before it expires, so that it does not expire in flight. */
const RENEWAL_MARGIN_MS = 30_000

/** Returns a valid ID token, or null when nobody is signed in. Concurrent calls share one request. */
export async function getIdToken(): Promise<string | null> {
  return (await currentToken())?.token ?? null
}

/** Returns the signed-in identity, or null. */
export async function getIdentity(): Promise<Identity | null> {
  return (await currentToken())?.identity ?? null
}

/** Returns the latest live event when the current token was issued, or null when it is not known. */
export async function getLatestEvent(): Promise<string | null> {
  return (await currentToken())?.latestEvent ?? null
}

async function currentToken(): Promise<CachedToken | null> {
  if (cached === null || (cached && performance.now() < cached.renewAt)) return cached
  if (pending !== null) return pending
  const fetching = fetchToken().finally(() => {
    if (pending === fetching) pending = null
  })
  pending = fetching
  return fetching
}

/** Discards a token that the server rejected, unless it was renewed already. */
export function discardToken(token: string): void {
  if (cached?.token === token) cached = undefined
}

/** Discards the token after the session changed: sign-in, sign-out, another tab. */
export function resetToken(): void {
  dropEarlyResponses()
  cached = undefined
  pending = null
  lastEmail = undefined
  generation++
}

/** Notifies `listener` when a renewal finds another identity, or none. Returns a function that unsubscribes. */
export function onIdentityChange(listener: (identity: Identity | null) => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

async function fetchToken(): Promise<CachedToken | null> {
  const requestedIn = generation
  const url = pathOf(issueToken)
  const response = await (takeEarlyResponse(url) ?? fetch(url, { method: issueToken.method }))
  if (response.status !== 200 && response.status !== 204) throw new Error('The session could not be read')
  const found = response.status === 200 ? await readToken(response) : null
  if (generation !== requestedIn) return currentToken()
  cached = found
  const identity = found?.identity ?? null
  const hasChanged = lastEmail !== undefined && lastEmail !== identity?.email
  lastEmail = identity?.email
  if (hasChanged) for (const listener of listeners) listener(identity)
  return found
}

/** Reads the claims. The lifetime is counted from now, because the user's clock may be wrong. */
async function readToken(response: Response): Promise<CachedToken> {
  const { token } = (await response.json()) as { token: string }
  const claims = claimsOf(token)
  const lifetimeMs = (Number(claims.exp) - Number(claims.iat)) * 1000
  return {
    token,
    identity: {
      id: String(claims.sub),
      email: String(claims.email),
      name: String(claims.name ?? claims.email),
    },
    renewAt: performance.now() + Math.max(lifetimeMs - RENEWAL_MARGIN_MS, RENEWAL_MARGIN_MS),
    latestEvent: response.headers.get(LATEST_EVENT_HEADER),
  }
}
