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

/** Returns what `read` returns; undefined where the browser blocks the data of sites. */
function attempt<T>(read: () => T): T | undefined {
  try {
    return read()
  } catch {
    return undefined
  }
}
