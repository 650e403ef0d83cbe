import { useEffect } from 'react'

/** What was typed and not sent yet, while this page is open: a failed request or a detour to another screen loses nothing. */
const drafts = new Map<string, unknown>()

/** The draft under this key, or what a fresh form starts with. Keys name the person, so that nobody finds another's. */
export function draftOf<Values>(key: string, fresh: Values): Values {
  return (drafts.get(key) as Values | undefined) ?? fresh
}

/** Keeps the draft in step with the form. */
export function useDraft(key: string, values: unknown): void {
  useEffect(() => {
    drafts.set(key, values)
  }, [key, values])
}

/** It was sent. */
export function deleteDraft(key: string): void {
  drafts.delete(key)
}
