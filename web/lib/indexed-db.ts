import { type IDBPDatabase, openDB } from 'idb'

/**
 * Returns the store `name` of a browser database of its own. The database is open only while a value is read or written, so
 * that a sign-out can delete it. Where the browser stores nothing, nothing is found, and what is put is lost.
 */
export function objectStore<Value>(database: string, name: string) {
  async function run<Result>(work: (db: IDBPDatabase) => Promise<Result>): Promise<Result | undefined> {
    if (!('indexedDB' in globalThis)) return undefined
    try {
      const db = await openDB(database, 1, { upgrade: (created) => void created.createObjectStore(name) })
      try {
        return await work(db)
      } finally {
        db.close()
      }
    } catch {
      return undefined
    }
  }

  return {
    get: (key: string): Promise<Value | undefined> => run((db) => db.get(name, key)),
    put: (key: string, value: Value) => run((db) => db.put(name, value, key)),
    delete: (key: string) => run((db) => db.delete(name, key)),
  }
}
