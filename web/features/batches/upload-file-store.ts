import { objectStore } from '#web/lib/indexed-db.ts'
import { UPLOAD_FILES } from '#web/lib/last-session.ts'

/**
 * Files that are being uploaded, by their batch. An upload continues after the tab was closed; where the browser does not
 * store them, the user chooses the file again, and its upload begins again. Signing out deletes them.
 */
export const uploadFiles = objectStore<Blob>(UPLOAD_FILES, 'files')
