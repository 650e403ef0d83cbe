import { deleteStored, readStored, store, storedKeys } from '#web/lib/browser-storage.ts'

/** Whose notifications this device shows: the id of the user who turned them on. */
export const PUSH_OWNER = 'push-owner-id'
/** As `PUSH_OWNER` in an earlier version, with the email. Its open pages end the notifications when they find another text. */
export const EARLIER_PUSH_OWNER = 'push-owner'

/**
 * Moves what an earlier version stored under the user's email to their id, which stays when the email changes
 * (docs/decisions/0075-unsent-work.md): keys with the email. The owner of the notifications is copied.
 */
export function moveToUserId({ _id, email }: { _id: string; email: string }): void {
  if (readStored(EARLIER_PUSH_OWNER) === email && readStored(PUSH_OWNER) === null) store(PUSH_OWNER, _id)
  for (const key of storedKeys('')) {
    const parts = key.split(' ')
    if (!parts.includes(email)) continue
    const text = readStored(key)
    if (text === null) continue
    deleteStored(key)
    store(parts.map((part) => (part === email ? _id : part)).join(' '), text)
  }
}
