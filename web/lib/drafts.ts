import { useEffect } from 'react'

/**
 * Unsent form values, so that a failed request or a visit to another screen does not lose them. Each is also in the tab's
 * session storage, which survives a reload.
 */
const drafts = new Map<string, unknown>()
const storageKeyOf = (key: string) => `draft ${key}`

/** Returns the draft stored under `key`, or `initial`. Keys contain the user's email, so that users who share a tab do not see each other's drafts. */
export function readDraft<Values>(key: string, initial: Values): Values {
  return (drafts.get(key) as Values | undefined) ?? readStored<Values>(key) ?? initial
}

function readStored<Values>(key: string): Values | null {
  try {
    return JSON.parse(sessionStorage.getItem(storageKeyOf(key)) ?? 'null') as Values | null
  } catch {
    return null
  }
}

/** Stores the form's values as a draft whenever they change. */
export function useDraft(key: string, values: unknown): void {
  useEffect(() => {
    drafts.set(key, values)
    try {
      sessionStorage.setItem(storageKeyOf(key), JSON.stringify(values))
    } catch {
      // Without storage the draft lasts until a reload.
    }
  }, [key, values])
}

/** Deletes a draft after its form was submitted. */
export function deleteDraft(key: string): void {
  drafts.delete(key)
  sessionStorage.removeItem(storageKeyOf(key))
}
