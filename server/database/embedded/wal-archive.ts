import { spawnSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { chownSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { type Owner, ownerOf } from './owner.ts'

/** WAL is archived when it is this old, also when its segment of 16 MB is not full. */
const ARCHIVE_TIMEOUT = '10s'
/** In the archive and in the data directory: which database writes the archive. */
const ID_FILE = 'archive-id'
const MARKER = 'wal-archive'

export const walFolder = (archive: string) => path.join(archive, 'wal')
export const baseFolder = (archive: string) => path.join(archive, 'base')

/**
 * Makes the database of a data directory archive its WAL to a folder from its next start on, or end that. An archive has one
 * database and no gap: a database that was recovered, or that has run without the archive, begins a new one
 * (docs/decisions/0066-continuous-archiving.md).
 * @throws Error with a message for the operator when the folder has the archive of another database or cannot be written.
 */
export function chooseArchive(dataDir: string, archive: string | undefined): void {
  const marker = path.join(dataDir, MARKER)
  if (archive === undefined) {
    rmSync(marker, { force: true })
    return
  }
  const idFile = path.join(archive, ID_FILE)
  const id = existsSync(idFile) ? readFileSync(idFile, 'utf8') : null
  const [chosen, ownId] = readMarker(dataDir)
  if (id !== null && id !== ownId)
    throw new Error(
      `The folder ${archive} has the archive of another database, or of this one before it was recovered or ran without it. ` +
        'Set WAL_ARCHIVE to a new folder.',
    )
  if (id === null && chosen === archive && !existsSync(walFolder(archive)))
    throw new Error(
      `The archive of this database is missing in ${archive}. Is the disk mounted? ` +
        `To begin a new archive there, delete ${marker}.`,
    )
  const owner = ownerOf(path.join(dataDir, 'postgres'))
  for (const folder of [archive, walFolder(archive), baseFolder(archive)]) makeFolder(folder, owner)
  const writtenId = id ?? randomUUID()
  mkdirSync(dataDir, { recursive: true })
  // The id is written last: after an interruption the next start begins the archive again.
  writeFileSync(marker, `${archive}\n${writtenId}`)
  writeFileSync(idFile, writtenId)
}

/** Returns the folder that the database of a data directory archives to. */
export function archiveOf(dataDir: string): string | null {
  return readMarker(dataDir)[0] ?? null
}

function readMarker(dataDir: string): string[] {
  const marker = path.join(dataDir, MARKER)
  return existsSync(marker) ? readFileSync(marker, 'utf8').split('\n') : []
}

/** Creates a folder that the database server can write, which under root has another user. */
function makeFolder(folder: string, owner: Owner | null): void {
  try {
    if (mkdirSync(folder, { recursive: true, mode: 0o700 }) && owner) chownSync(folder, owner.uid, owner.gid)
  } catch (error) {
    throw new Error(
      `The folder ${folder} cannot be created: ${(error as Error).message}. Check WAL_ARCHIVE.`,
      {
        cause: error,
      },
    )
  }
  const { status } = spawnSync('test', ['-w', folder, '-a', '-x', folder], { ...owner, cwd: '/' })
  if (status !== 0)
    throw new Error(
      `The database server cannot write to ${folder}${owner ? ` as the user with the id ${owner.uid}` : ''}. Check WAL_ARCHIVE.`,
    )
}

/**
 * Returns the settings of a server that archives its WAL. The command writes a compressed file completely before it has its
 * name, and refuses to replace a different one.
 */
export function archiveSettings(archive: string): Record<string, string> {
  const folder = quoted(walFolder(archive))
  const copy = 'gzip -1 < %p > "$to.partial" && sync "$to.partial" && mv "$to.partial" "$to"'
  return {
    archive_mode: 'on',
    archive_timeout: ARCHIVE_TIMEOUT,
    archive_command:
      `to=${folder}/%f.gz; ` +
      `if test -e "$to"; then gunzip < "$to" | cmp -s - %p; else ${copy}; fi && sync ${folder}`,
  }
}

/** Returns the settings of a server that recovers from an archive: to a time, or all that is archived. */
export function recoverySettings(archive: string, until: Date | undefined): Record<string, string> {
  return {
    restore_command: `gunzip < ${quoted(walFolder(archive))}/%f.gz > %p`,
    recovery_target_action: 'promote',
    // PostgreSQL does not accept the ISO form here.
    ...(until && { recovery_target_time: until.toISOString().replace('T', ' ').replace('Z', '+00') }),
  }
}

/** Quotes a path for the shell and for PostgreSQL, which replaces `%` and a letter. */
function quoted(file: string): string {
  return `'${file.replaceAll("'", `'\\''`).replaceAll('%', '%%')}'`
}
