import { deleteStored, readStored, store, storedKeys } from '#web/lib/browser-storage.ts'
import type { DecisionStore, StoredDecision } from './decision-queue.ts'

const prefixOf = (userId: string) => `decision ${userId} `

/** Returns whether this buyer has decisions in the browser's storage that the server has not confirmed. */
export function hasStoredDecisions(userId: string): boolean {
  return storedKeys(prefixOf(userId)).length > 0
}

/** Creates the store of a buyer's decisions in the browser, one item per decision, so that tabs do not overwrite each other's. */
export function createDecisionStore(userId: string): DecisionStore {
  const keyOf = (id: string) => prefixOf(userId) + id
  const read = (key: string) => JSON.parse(readStored(key) ?? 'null') as StoredDecision | null

  return {
    list: () =>
      storedKeys(prefixOf(userId))
        .map(read)
        .filter((stored) => stored !== null),
    get: (id) => read(keyOf(id)) ?? undefined,
    put: (stored) => store(keyOf(stored.work.id), JSON.stringify(stored)),
    remove: (id) => deleteStored(keyOf(id)),
  }
}
