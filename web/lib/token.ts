/** Who the ID token says is signed in. */
export type Identity = { email: string; name: string }
type Held = { token: string; identity: Identity; freshUntil: number }

/**
 * The ID token lives in this variable and nowhere else. `undefined`: not asked yet; `null`: nobody is signed in.
 */
let held: Held | null | undefined
let asking: Promise<Held | null> | null = null
const listeners = new Set<(identity: Identity | null) => void>()

/** Renewed this long before it ends, so that it does not end on its way. */
const MARGIN_MS = 30_000

/** A token for the next call, or null when nobody is signed in. Many callers at once ask the server once. */
export async function idToken(): Promise<string | null> {
  return (await current())?.token ?? null
}

/** Who is signed in, as far as the server's cookie says. */
export async function identity(): Promise<Identity | null> {
  return (await current())?.identity ?? null
}

async function current(): Promise<Held | null> {
  if (held === null || (held && performance.now() < held.freshUntil)) return held
  asking ??= ask().finally(() => {
    asking = null
  })
  return asking
}

/** The server refused this token: the next caller asks for a new one, unless somebody has one already. */
export function clearToken(token: string): void {
  if (held?.token === token) held = undefined
}

/** Forget everything: the session has changed (sign-in, sign-out, another tab). */
export function forgetToken(): void {
  held = undefined
  asking = null
}

/** Calls back when a renewal finds that somebody else, or nobody, is signed in. */
export function onIdentity(listener: (identity: Identity | null) => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

async function ask(): Promise<Held | null> {
  const before = held?.identity.email
  const response = await fetch('/api/auth/token', { method: 'POST' })
  if (response.status !== 200 && response.status !== 204) throw new Error('The session could not be read')
  held = response.status === 200 ? hold((await response.json()).token) : null
  if (held?.identity.email !== before) for (const tell of listeners) tell(held?.identity ?? null)
  return held
}

/** The lifetime is taken from the token and counted here, because a person's clock may be wrong. */
function hold(token: string): Held {
  const claims = JSON.parse(fromBase64Url(token.split('.')[1] ?? '')) as Record<string, unknown>
  const lifetimeMs = (Number(claims.exp) - Number(claims.iat)) * 1000
  return {
    token,
    identity: { email: String(claims.email), name: String(claims.name ?? claims.email) },
    freshUntil: performance.now() + Math.max(lifetimeMs - MARGIN_MS, MARGIN_MS),
  }
}

function fromBase64Url(text: string): string {
  const bytes = Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (c) => c.charCodeAt(0))
  return new TextDecoder().decode(bytes)
}
