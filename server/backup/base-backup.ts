import { existsSync } from 'node:fs'
import { readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'
import * as z from 'zod'
import { BadConfig } from '#server/bad-config.ts'
import { archiveOf, baseFolder, walFolder } from '#server/database/embedded/wal-archive.ts'
import { BACKUP_NAME, backupName } from './expired-backups.ts'
import { DATA_FILES } from './manifest.ts'
import { copyDataFiles } from './pictures.ts'

/** One base backup is made at a time. */
const LOCK = 7_461_014
/** Base backups that are kept, with the WAL since the oldest. */
const KEEP_DAYS = 7
const DESCRIPTION = 'base.json'
export const BASE_FILE = 'base.tar.gz'

/** `firstWal` names the first segment that a recovery from this base reads. A recovery ends at `finishedAt` or later. */
const Description = z.object({ firstWal: z.string(), finishedAt: z.iso.datetime() })
type Base = z.infer<typeof Description> & { archive: string; folder: string }

/** Returns the complete base backups of an archive, oldest first. */
export async function listBases(archive: string): Promise<Base[]> {
  const parent = baseFolder(archive)
  const names = existsSync(parent)
    ? (await readdir(parent)).filter((name) => BACKUP_NAME.test(name)).sort()
    : []
  return Promise.all(
    names.map(async (name) => {
      const folder = join(parent, name)
      const text = await readFile(join(folder, DESCRIPTION), 'utf8')
      return { archive, folder, ...Description.parse(JSON.parse(text)) }
    }),
  )
}

/**
 * Makes a base backup of the running embedded database in its archive, with the pictures and the generated secret of the data
 * folder. PostgreSQL copies its files itself, and writers continue.
 * @throws BadConfig when the database does not archive its WAL, or while another base backup is being made.
 */
export async function makeBaseBackup(owner: pg.Pool, dataDir: string): Promise<Base> {
  const { rows } = await owner.query<{ archive_mode: string }>('show archive_mode')
  const archive = archiveOf(dataDir)
  if (archive === null || rows[0]?.archive_mode !== 'on')
    throw new BadConfig('The database does not archive its WAL: restart the server with WAL_ARCHIVE.')
  const parent = baseFolder(archive)
  const { connectionString } = owner.options
  // `replication` makes it a connection that accepts BASE_BACKUP; the types do not know it.
  const client = new pg.Client({ connectionString, replication: 'database' } as pg.ClientConfig)
  client.on('error', () => {}) // the server may stop meanwhile; the command then fails
  await client.connect()
  try {
    const { rows: locks } = await client.query<{ locked: boolean }>(
      `select pg_try_advisory_lock(${LOCK}) as locked`,
    )
    if (locks[0]?.locked !== true) throw new BadConfig('Another base backup is running.')
    for (const name of await readdir(parent))
      if (name.endsWith('.partial')) await rm(join(parent, name), { recursive: true })

    const folder = join(parent, backupName(new Date()))
    const partial = `${folder}.partial`
    const start = await copyDatabase(client, partial)
    const present = DATA_FILES.filter((name) => existsSync(join(dataDir, name)))
    await copyDataFiles(dataDir, present, join(partial, 'files'))
    const { rows: names } = await owner.query<{ name: string }>('select pg_walfile_name($1) as name', [start])
    const description = { firstWal: names[0]?.name ?? '', finishedAt: new Date().toISOString() }
    await writeFile(join(partial, DESCRIPTION), JSON.stringify(description))
    await rename(partial, folder)
    return { archive, folder, ...description }
  } finally {
    await client.end()
  }
}

/** Makes the base backup that a new archive begins with. Without one its WAL is of no use. */
export async function makeFirstBaseBackup(
  owner: pg.Pool,
  dataDir: string,
  log: (line: string) => void,
): Promise<void> {
  try {
    const archive = archiveOf(dataDir)
    if (archive !== null && (await listBases(archive)).length > 0) return
    const { folder } = await makeBaseBackup(owner, dataDir)
    log(`The archive begins with the base backup ${folder}`)
  } catch (error) {
    log(`The archive has no base backup yet, and the next start tries again: ${(error as Error).message}`)
  }
}

/** Copies the files of the database, with the WAL that makes the copy consistent. Returns where its WAL starts. */
async function copyDatabase(client: pg.Client, folder: string): Promise<string> {
  const results: unknown = await client.query(
    `BASE_BACKUP (LABEL 'base', CHECKPOINT 'fast', WAL true, WAIT false, MANIFEST 'yes', COMPRESSION 'gzip',
      COMPRESSION_DETAIL '1', TARGET 'server', TARGET_DETAIL ${client.escapeLiteral(folder)})`,
  )
  // The first of several results.
  const [start] = results as pg.QueryResult<{ recptr: string }>[]
  return start?.rows[0]?.recptr ?? ''
}

/** Deletes all but the newest base backup of each of the last days, and WAL that none of the rest needs. Returns their names. */
export async function deleteExpiredBases(archive: string): Promise<string[]> {
  const bases = await listBases(archive)
  const newestOfDay = new Map(bases.map((base) => [base.finishedAt.slice(0, 10), base]))
  const kept = new Set([...newestOfDay.values()].slice(-KEEP_DAYS))
  const expired = bases.filter((base) => !kept.has(base)).map(({ folder }) => folder)
  for (const folder of expired) await rm(folder, { recursive: true })
  const [oldest] = kept
  if (oldest === undefined) return expired
  const wal = walFolder(archive)
  // Names are the timeline and a position, 8 and 16 digits.
  const isNeeded = (name: string) =>
    !/^[0-9A-F]{24}/.test(name) || name.slice(8, 24) >= oldest.firstWal.slice(8)
  for (const name of await readdir(wal)) if (!isNeeded(name)) await rm(join(wal, name))
  return expired
}
