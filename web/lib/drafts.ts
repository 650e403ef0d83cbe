import { useEffect } from 'react'

/** Unsent form values, kept in memory so that a failed request or a visit to another screen does not lose them. */
const drafts = new Map<string, unknown>()

/** Returns the draft stored under `key`, or `initial`. Keys contain the user's email, so that users who share a tab do not see each other's drafts. */
export function readDraft<Values>(key: string, initial: Values): Values {
  return (drafts.get(key) as Values | undefined) ?? initial
}

/** Stores the form's values as a draft whenever they change. */
export function useDraft(key: string, values: unknown): void {
  useEffect(() => {
    drafts.set(key, values)
  }, [key, values])
}

/** Deletes a draft after its form was submitted. */
export function deleteDraft(key: string): void {
  drafts.delete(key)
}
