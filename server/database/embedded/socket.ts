import { createHash } from 'node:crypto'
import { chownSync, lstatSync, mkdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { Owner } from './owner.ts'

/** The system allows 108 bytes (104 on macOS) for the path of a socket, which ends in `/.s.PGSQL.5432`. */
const LONGEST_PATH = 100

/**
 * The folder of the server's socket, open to its owner alone: the cluster itself, or, where that path is too long for
 * a socket, a folder with a short name in the temporary folder.
 */
export function socketDirectory(clusterDir: string, owner: Owner | null): string {
  if (Buffer.byteLength(path.join(clusterDir, '.s.PGSQL.5432')) <= LONGEST_PATH) return clusterDir
  const name = createHash('sha256').update(clusterDir).digest('hex').slice(0, 16)
  const folder = path.join(tmpdir(), `tallywork-${name}`)
  const uid = owner?.uid ?? process.getuid?.()
  if (mkdirSync(folder, { recursive: true, mode: 0o700 }) && owner) chownSync(folder, owner.uid, owner.gid)
  const found = lstatSync(folder)
  if (!found.isDirectory() || found.uid !== uid || (found.mode & 0o077) !== 0) {
    throw new Error(
      `The folder ${folder}, meant for the database's socket, belongs to somebody else. Remove it.`,
    )
  }
  return folder
}
