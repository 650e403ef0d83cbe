import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chownSync, createReadStream, existsSync, mkdirSync, statSync, writeFileSync } from 'node:fs'
import { cp, readdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { BadConfig } from '#server/bad-config.ts'
import { findBinaries } from '#server/database/embedded/binaries.ts'
import { connectionString } from '#server/database/embedded/connection.ts'
import { type Owner, ownerOf } from '#server/database/embedded/owner.ts'
import { lastMessages } from '#server/database/embedded/server.ts'
import { socketDirectory } from '#server/database/embedded/socket.ts'
import { superviseServer } from '#server/database/embedded/supervisor.ts'
import { chooseArchive, recoverySettings, walFolder } from '#server/database/embedded/wal-archive.ts'
import { BASE_FILE, listBases } from './base-backup.ts'

/** Checks a recovered database before it counts. `gap` says that the archive has more WAL than could be replayed. */
type Check = (pool: pg.Pool, gap: string | undefined) => Promise<void>

/**
 * Recovers the database of an archive into a data directory that has none: extracts the newest base backup before `until`,
 * replays the archived WAL up to that time or to its end, and runs `check` on the database. The data directory has the database
 * only when all of it succeeded, and no archive: the database needs a new one.
 * @throws BadConfig when the archive has no such base backup, or the WAL ends before `until`.
 */
export async function recover(
  { archive, dataDir, until }: { archive: string; dataDir: string; until: Date | undefined },
  check: Check,
  log: (message: string) => void,
): Promise<void> {
  const clusterDir = join(dataDir, 'postgres')
  if (existsSync(clusterDir)) throw new BadConfig(`${clusterDir} exists. Recover into a new DATA_DIR.`)
  const base = (await listBases(archive)).findLast(
    ({ finishedAt }) => until === undefined || new Date(finishedAt) <= until,
  )
  if (base === undefined)
    throw new BadConfig(`${archive} has no base backup${until ? ` before ${until.toISOString()}` : ''}.`)

  // The archive may still grow.
  const newest = until === undefined ? await newestWal(archive) : ''
  const draft = join(dataDir, 'postgres.recovering')
  const owner = ownerOf(clusterDir)
  await rm(draft, { recursive: true, force: true })
  mkdirSync(draft, { recursive: true, mode: 0o700 })
  if (owner) chownSync(draft, owner.uid, owner.gid)
  try {
    log(`Extracting ${base.folder} …`)
    await extract(join(base.folder, BASE_FILE), draft, owner)
    writeFileSync(join(draft, 'recovery.signal'), '', { mode: 0o644 })
    log('Replaying the WAL …')
    await replay(draft, owner, recoverySettings(archive, until), async (pool) => {
      await check(pool, await findGap(pool, newest))
    })
    const files = join(base.folder, 'files')
    for (const name of existsSync(files) ? await readdir(files) : [])
      await cp(join(files, name), join(dataDir, name), { recursive: true, force: false })
    chooseArchive(dataDir, undefined)
    await rename(draft, clusterDir)
  } finally {
    await rm(draft, { recursive: true, force: true })
  }
}

/** Returns the position of the newest archived segment. Names are the timeline and a position, 8 and 16 digits. */
async function newestWal(archive: string): Promise<string> {
  const names = await readdir(walFolder(archive))
  const positions = names.filter((name) => /^[0-9A-F]{24}\.gz$/.test(name)).map((name) => name.slice(8, 24))
  return positions.toSorted().at(-1) ?? ''
}

/**
 * Returns a sentence if a recovery ended before the newest archived segment. PostgreSQL takes a file that is missing, damaged
 * or unreadable for the end of the WAL.
 */
async function findGap(pool: pg.Pool, newest: string): Promise<string | undefined> {
  // Since PostgreSQL 17 the name of a position between two segments is that of the second.
  const { rows } = await pool.query<{ position: string }>(
    `select substr(pg_walfile_name(pg_last_wal_replay_lsn() - 1), 9) as position`,
  )
  const { position = '' } = rows[0] ?? {}
  if (position >= newest) return undefined
  return `The archive has a gap: files of WAL behind ${position} are missing, damaged or closed to the user of the database.`
}

async function extract(file: string, folder: string, owner: Owner | null): Promise<void> {
  // The lock of the socket belongs to the server that was copied.
  const tar = spawn('tar', ['-xzf', '-', '--exclude=.s.PGSQL.*'], {
    ...owner,
    cwd: folder,
    stdio: ['pipe', 'ignore', 'pipe'],
  })
  let stderr = ''
  tar.stderr.setEncoding('utf8').on('data', (chunk) => {
    stderr += chunk
  })
  const closed = once(tar, 'close')
  // A tar that ends early closes its input; its exit code and message say why.
  const fed = pipeline(createReadStream(file), tar.stdin).catch((error: Error) => error)
  const [code] = await closed
  const failure = await fed
  if (code !== 0 || failure) throw new BadConfig(`${file} is damaged: ${stderr.trim() || failure?.message}`)
}

async function replay(
  clusterDir: string,
  owner: Owner | null,
  settings: Record<string, string>,
  check: (pool: pg.Pool) => Promise<void>,
): Promise<void> {
  const logFile = join(clusterDir, '..', 'postgres.log')
  const from = statSync(logFile, { throwIfNoEntry: false })?.size ?? 0
  const socketDir = socketDirectory(clusterDir, owner)
  const cluster = { clusterDir, socketDir, logFile, owner, binaries: findBinaries(owner), settings }
  const failure = () => new BadConfig(`The recovery failed: ${lastMessages(logFile, from)}`)
  const server = await superviseServer(cluster, () => {}).catch(() => {
    throw failure()
  })
  let ended = false
  void server.exited.then(() => {
    ended = true
  })
  const pool = new pg.Pool({ connectionString: connectionString(socketDir), max: 2 })
  pool.on('error', () => {}) // the server ends when the WAL ends before the time to recover to
  try {
    while (await isInRecovery(pool)) {
      if (ended) throw failure()
      await sleep(200)
    }
    await check(pool)
  } finally {
    await pool.end()
    await server.stop()
  }
}

/** Returns true while the server is in recovery or does not respond yet. */
async function isInRecovery(pool: pg.Pool): Promise<boolean> {
  try {
    const { rows } = await pool.query<{ recovers: boolean }>('select pg_is_in_recovery() as recovers')
    return rows[0]?.recovers ?? true
  } catch {
    return true
  }
}
