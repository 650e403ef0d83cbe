import { chmodSync } from 'node:fs'
import { join } from 'node:path'

/** Files and folders of earlier versions, which were readable for other users of the machine. */
const EARLIER = [
  ['mail', 0o700],
  ['images', 0o700],
  ['postgres.log', 0o600],
] as const

/**
 * Makes the files that this process writes from now on (emails, secrets, pictures, logs, backups), and those that earlier
 * versions wrote into the data directory, unreadable for other users of the machine.
 */
export function keepFilesPrivate(dataDir: string): void {
  process.umask(0o077)
  for (const [name, mode] of EARLIER) {
    try {
      chmodSync(join(dataDir, name), mode)
    } catch (error) {
      // Ignores missing files and those of another user.
      if (!['ENOENT', 'EPERM'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error
    }
  }
}
