import { openDB } from 'idb'
import { UPLOAD_FILES } from '#web/lib/last-session.ts'

/**
 * Files that are being uploaded, by their batch. An upload continues after the tab was closed; where the browser does not
 * store them, the user chooses the file again, and its upload begins again. Signing out deletes them.
 */
async function withStore<T>(
  work: (db: Awaited<ReturnType<typeof open>>) => Promise<T>,
): Promise<T | undefined> {
  if (!('indexedDB' in globalThis)) return undefined
  try {
    const db = await open()
    try {
      return await work(db)
    } finally {
      db.close()
    }
  } catch {
    return undefined
  }
}

function open() {
  return openDB<{ files: { key: string; value: Blob } }>(UPLOAD_FILES, 1, {
    upgrade: (db) => void db.createObjectStore('files'),
  })
}

export const storeUploadFile = (batchId: string, file: Blob) =>
  withStore((db) => db.put('files', file, batchId))
export const readUploadFile = (batchId: string) => withStore((db) => db.get('files', batchId))
export const deleteUploadFile = (batchId: string) => withStore((db) => db.delete('files', batchId))
