/*
 * Texts in the browser's local storage. Where it refuses to store, because it is full or blocked, they last as long as the page.
 */

const notStored = new Map<string, string>()

/** Returns the text stored under `key`; null if there is none. */
export function readStored(key: string): string | null {
  return notStored.get(key) ?? attempt(() => localStorage.getItem(key)) ?? null
}

/** Stores a text under `key`. */
export function store(key: string, text: string): void {
  try {
    localStorage.setItem(key, text)
    notStored.delete(key)
  } catch {
    notStored.set(key, text)
  }
}

/** Deletes the text stored under `key`. */
export function deleteStored(key: string): void {
  notStored.delete(key)
  attempt(() => localStorage.removeItem(key))
}

/** Returns the keys that begin with `prefix` and have a text. */
export function storedKeys(prefix: string): string[] {
  const stored = attempt(() => Object.keys(localStorage)) ?? []
  return [...new Set([...stored, ...notStored.keys()])].filter((key) => key.startsWith(prefix))
}

/** Whose notifications this device shows: the id of the user who turned them on. */
export const PUSH_OWNER = 'push-owner-id'
/** As `PUSH_OWNER` in an earlier version, with the email. Its open pages end the notifications when they find another text. */
export const EARLIER_PUSH_OWNER = 'push-owner'

/**
 * Moves what an earlier version stored under the user's email to their id, which stays when the email changes
 * (docs/decisions/0075-unsent-work.md): keys with the email. The owner of the notifications is copied.
 */
export function moveToUserId({ _id, email }: { _id: string; email: string }): void {
  for (const key of storedKeys('')) {
    const text = readStored(key)
    if (text === null) continue
    const parts = key.split(' ')
    if (key === EARLIER_PUSH_OWNER && text === email && readStored(PUSH_OWNER) === null)
      store(PUSH_OWNER, _id)
    else if (parts.includes(email)) {
      deleteStored(key)
      store(parts.map((part) => (part === email ? _id : part)).join(' '), text)
    }
  }
}

/** Returns what `read` returns; undefined where the browser blocks the data of sites. */
function attempt<T>(read: () => T): T | undefined {
  try {
    return read()
  } catch {
    return undefined
  }
}
