import { useCallback, useSyncExternalStore } from 'react'
import { readStored, store } from '#web/lib/browser-storage.ts'

const listeners = new Set<() => void>()
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
    () => readPreference(key),
    () => null,
  )
  const choose = useCallback(
    (choice: Choice) => {
      writePreference(key, choice)
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
export function readPreference(key: string): string | null {
  return readStored(storageKeyOf(key))
}

/** Stores a text in this browser. */
export function writePreference(key: string, value: string): void {
  store(storageKeyOf(key), value)
}
