import type { User } from '#contract/users.ts'
import type { Identity } from '#web/lib/id-token.ts'

/** The session with which a page starts that is opened offline. */
export type LastSession = { user: Identity; userData: User | null }

const KEY = 'last-session'
/** The database of web/features/offline/saved-replies.ts. */
export const SAVED_REPLIES = 'saved-replies'
/** The database of web/features/batches/kept-files.ts. */
export const KEPT_FILES = 'kept-files'

/** Returns the last session of this browser, or null after a sign-out. */
export function readLastSession(): LastSession | null {
  try {
    return JSON.parse(localStorage.getItem(KEY) ?? 'null') as LastSession | null
  } catch {
    return null
  }
}

export function saveLastSession(session: LastSession): void {
  if (readLastSession()?.user.email !== session.user.email) forgetLastSession()
  localStorage.setItem(KEY, JSON.stringify(session))
}

/** Forgets the last session and deletes the replies and files that were saved in it. */
export function forgetLastSession(): void {
  localStorage.removeItem(KEY)
  if (!('indexedDB' in globalThis)) return
  for (const name of [SAVED_REPLIES, KEPT_FILES]) indexedDB.deleteDatabase(name)
}
