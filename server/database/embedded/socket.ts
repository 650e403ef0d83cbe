import { createHash } from 'node:crypto'
import { chownSync, lstatSync, mkdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { Owner } from './owner.ts'

/** A socket path has at most 108 bytes (104 on macOS) and ends in `/.s.PGSQL.5432`. */
const PATH_MAX_BYTES = 100

/**
 * Returns the private directory of the server's socket: the cluster itself, or a directory with a short name in the
 * temporary directory when that path is too long for a socket.
 * @throws Error when another user owns that directory.
 */
export function socketDirectory(clusterDir: string, owner: Owner | null): string {
  if (Buffer.byteLength(path.join(clusterDir, '.s.PGSQL.5432')) <= PATH_MAX_BYTES) return clusterDir
  const name = createHash('sha256').update(clusterDir).digest('hex').slice(0, 16)
  const folder = path.join(tmpdir(), `tallywork-${name}`)
  const uid = owner?.uid ?? process.getuid?.()
  if (mkdirSync(folder, { recursive: true, mode: 0o700 }) && owner) chownSync(folder, owner.uid, owner.gid)
  const found = lstatSync(folder)
  if (!found.isDirectory() || found.uid !== uid || (found.mode & 0o077) !== 0) {
    throw new Error(`The directory ${folder} for the database socket belongs to another user. Remove it.`)
  }
  return folder
}
