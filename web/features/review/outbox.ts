import type { Outbox, StoredDecision } from './decision-queue.ts'

const prefixOf = (email: string) => `decision ${email} `

/** Returns whether this buyer has decisions in the browser's storage that the server has not confirmed. */
export function hasStoredDecisions(email: string): boolean {
  return Object.keys(localStorage).some((key) => key.startsWith(prefixOf(email)))
}

/**
 * Creates a buyer's outbox in the browser's storage, one item per decision, so that tabs do not overwrite each other's.
 * Where the browser refuses to store, decisions last as long as the page.
 */
export function createOutbox(email: string): Outbox {
  const notStored = new Map<string, StoredDecision>()
  const keyOf = (id: string) => prefixOf(email) + id
  const read = (key: string) => JSON.parse(localStorage.getItem(key) ?? 'null') as StoredDecision | null

  return {
    list() {
      const keys = Object.keys(localStorage).filter((key) => key.startsWith(prefixOf(email)))
      return [...notStored.values(), ...keys.map(read).filter((stored) => stored !== null)]
    },
    get: (id) => notStored.get(id) ?? read(keyOf(id)) ?? undefined,
    put(stored) {
      const { id } = stored.work
      try {
        localStorage.setItem(keyOf(id), JSON.stringify(stored))
      } catch {
        notStored.set(id, stored)
      }
    },
    remove(id) {
      notStored.delete(id)
      localStorage.removeItem(keyOf(id))
    },
  }
}
