import type { User } from '#contract/users.ts'
import type { Identity } from '#web/lib/id-token.ts'

/** The session with which the dashboard starts until the server responds. */
export type LastSession = { user: Identity; userData: User | null }

/** Where the last session is stored. */
export const LAST_SESSION_KEY = 'last-session'
/** Whose replies and files are saved: the id of the user. */
const SAVED_OWNER_KEY = 'saved-owner'
/** Set while the user is at an identity provider: on return they are registered as a Worker. */
export const PROVIDER_SIGN_IN_KEY = 'came-by-provider'
/** Where the id of a user is stored whom that has registered, until they have dismissed its notice. */
export const NEW_WORKER_KEY = 'new-worker'
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

/** Saves the session of the signed-in user. Replies and files that were saved for another user are deleted. */
export function saveLastSession(session: LastSession): void {
  // An earlier version stored the owner only in the session.
  const owner = localStorage.getItem(SAVED_OWNER_KEY) ?? readLastSession()?.userData?._id
  if (owner !== session.user.id) forgetLastSession()
  localStorage.setItem(SAVED_OWNER_KEY, session.user.id)
  localStorage.setItem(LAST_SESSION_KEY, JSON.stringify(session))
}

/** Drops the last session until it is known who is signed in. The replies and files that were saved in it stay for the same user. */
export function dropLastSession(): void {
  localStorage.removeItem(LAST_SESSION_KEY)
}

/** Forgets the last session and deletes the replies and files that were saved in it. */
export function forgetLastSession(): void {
  dropLastSession()
  localStorage.removeItem(SAVED_OWNER_KEY)
  if (!('indexedDB' in globalThis)) return
  for (const name of [SAVED_REPLIES, UPLOAD_FILES]) indexedDB.deleteDatabase(name)
}
