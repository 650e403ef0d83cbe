import { useEffect, useRef } from 'react'
import { deleteStored, readStored, store } from '#web/lib/browser-storage.ts'

/**
 * Unsent form values, so that a failed request, a reload or a crash does not lose them. They are in the browser's local
 * storage (docs/decisions/0075-unsent-work.md); where it refuses to store, they last as long as the page.
 */
const storageKeyOf = (key: string) => `draft ${key}`

/**
 * Returns the draft stored under `key`, or `initial`. Keys contain the user's id, or the id of what only one user decides,
 * so that users who share a browser do not see each other's drafts.
 */
export function readDraft<Values>(key: string, initial: Values): Values {
  try {
    return (JSON.parse(readStored(storageKeyOf(key)) ?? 'null') as Values | null) ?? initial
  } catch {
    return initial
  }
}

/**
 * Stores the form's values as a draft whenever they change, with what they were typed on. A form that was only opened leaves
 * none.
 */
export function useDraft(key: string, values: object, base?: object): void {
  const stored = useRef({ key, values })
  useEffect(() => {
    if (stored.current.key === key && stored.current.values === values) return
    stored.current = { key, values }
    storeDraft(key, { ...values, ...base })
  }, [key, values, base])
}

/** Stores a draft, for the next time its form is rendered. */
export function storeDraft(key: string, values: unknown): void {
  store(storageKeyOf(key), JSON.stringify(values))
}

/** Deletes a draft after its form was submitted. */
export function deleteDraft(key: string): void {
  deleteStored(storageKeyOf(key))
}
