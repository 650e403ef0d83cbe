import { useCallback, useSyncExternalStore } from 'react'

const listeners = new Set<() => void>()
/** Where the browser stores nothing, a value lasts until a reload. */
const values = new Map<string, string>()
const storageKeyOf = (key: string) => `preference ${key}`

/**
 * Returns a choice that this browser remembers, and its setter. A value that is none of `choices` counts as the first, which
 * is also what a prerendered page shows.
 */
export function usePreference<Choice extends string>(
  key: string,
  choices: readonly [Choice, ...Choice[]],
): [choice: Choice, choose: (choice: Choice) => void] {
  const stored = useSyncExternalStore(
    subscribe,
    () => read(key),
    () => null,
  )
  const choose = useCallback(
    (choice: Choice) => {
      write(key, choice)
      for (const notify of listeners) notify()
    },
    [key],
  )
  return [choices.find((choice) => choice === stored) ?? choices[0], choose]
}

function subscribe(notify: () => void): () => void {
  listeners.add(notify)
  return () => listeners.delete(notify)
}

/** Returns the text stored under `key` in this browser; null if there is none. */
export function read(key: string): string | null {
  try {
    return localStorage.getItem(storageKeyOf(key))
  } catch {
    return values.get(key) ?? null
  }
}

/** Stores a text in this browser. */
export function write(key: string, value: string): void {
  try {
    localStorage.setItem(storageKeyOf(key), value)
  } catch {
    values.set(key, value)
  }
}
