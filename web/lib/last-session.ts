import type { User } from '#contract/users.ts'
import type { Identity } from '#web/lib/id-token.ts'

/** The session with which the dashboard starts until the server responds. */
export type LastSession = { user: Identity; userData: User | null }

/** Where the last session is stored. */
export const LAST_SESSION_KEY = 'last-session'
/** Set while the user is at an identity provider: on return they are registered as a Worker. */
export const PROVIDER_SIGN_IN_KEY = 'came-by-provider'
/** The database of web/features/offline/saved-replies.ts. */
export const SAVED_REPLIES = 'saved-replies'
/** The database of web/features/batches/upload-file-store.ts. Browsers have it under this name. */
export const UPLOAD_FILES = 'kept-files'

/** Returns the last session of this browser, or null after a sign-out. */
export function readLastSession(): LastSession | null {
  try {
    return JSON.parse(localStorage.getItem(LAST_SESSION_KEY) ?? 'null') as LastSession | null
  } catch {
    return null
  }
}

export function saveLastSession(session: LastSession): void {
  if (readLastSession()?.user.email !== session.user.email) forgetLastSession()
  localStorage.setItem(LAST_SESSION_KEY, JSON.stringify(session))
}

/** Forgets the last session and deletes the replies and files that were saved in it. */
export function forgetLastSession(): void {
  localStorage.removeItem(LAST_SESSION_KEY)
  if (!('indexedDB' in globalThis)) return
  for (const name of [SAVED_REPLIES, UPLOAD_FILES]) indexedDB.deleteDatabase(name)
}
