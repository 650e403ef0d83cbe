import { statSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { BadConfig } from '#server/bad-config.ts'
import type { Config } from '#server/config.ts'
import { keepFilesPrivate } from '#server/private-files.ts'
import { type Database, openDatabase } from './database.ts'
import { startEmbedded } from './embedded/launcher.ts'
import { archiveOf, chooseArchive } from './embedded/wal-archive.ts'
import { recordUses } from './installed-sets.ts'
import { migrateJobSchema } from './job-schema.ts'
import { migrate, requireOwnSchema } from './migrate.ts'
import { NO_REPLICAS, openReplicas, type Replicas } from './replicas.ts'
import { requireEmpty } from './require-empty.ts'
import { requireSameDatabase, SERVER_ROLE, serverUrl, withRole } from './server-role.ts'

type Connected = { database: Database; maintenance: pg.Pool; close(): Promise<void> }

/**
 * Opens the configured database for a command that changes no schema, as the owner.
 * @throws BadConfig when there is no database, its schema is of another version, or the settings name two databases.
 */
export async function connectToOwnSchema(config: Config, log: (line: string) => void): Promise<Connected> {
  if (config.databaseUrl === undefined && !hasEmbedded(config))
    throw new BadConfig(`There is no database in ${config.dataDir}. Check DATA_DIR and DATABASE_URL.`)
  return open(config, log, async (maintenance, { owner }) => {
    await requireOwnSchema(maintenance)
    return owner
  })
}

/**
 * Opens an empty database for a restore and upgrades its schema, as `connect` does. One that has users is not changed, and an embedded
 * one that exists archives as it did.
 * @throws BadConfig when the database has users, or the settings name two databases.
 */
export async function connectToEmpty(config: Config, log: (line: string) => void): Promise<Connected> {
  if (config.databaseUrl === undefined && !hasEmbedded(config)) applyArchive(config, log)
  return open(config, log, async (maintenance, urls) => {
    await requireEmpty(maintenance)
    return upgrade(maintenance, urls, log)
  })
}

/**
 * Opens the configured database, or the embedded one when none is configured, and upgrades its schema. The connections of
 * `database` have a role that owns nothing (docs/decisions/0023-the-server-role.md). `maintenance` is one connection of the
 * owner without a query timeout, for migrations and backups. `close` also stops the embedded database server if this
 * process started it. The connections to replicas have the role of those to the primary.
 * @throws BadConfig when the settings name two databases.
 */
export async function connect(
  config: Config,
  log: (line: string) => void,
): Promise<Connected & { replicas: Replicas }> {
  if (config.databaseUrl === undefined) applyArchive(config, log)
  let replicas = NO_REPLICAS
  let switchesRole = false
  const prepare: Prepare = async (maintenance, urls) => {
    const url = await upgrade(maintenance, urls, log)
    switchesRole = url !== (urls.server ?? urls.owner)
    return url
  }
  const connected = await open(config, log, prepare, () => replicas.distrust())
  const stopRecordingUses = recordUses(connected.database)
  const urls = config.replicaUrls.map((url) => (switchesRole ? withRole(url, SERVER_ROLE) : url))
  replicas = openReplicas(connected.database, urls, {
    max: config.databasePool,
    prepare: config.databasePrepare,
    log,
  })
  const close = async () => {
    stopRecordingUses()
    await replicas.close()
    await connected.close()
  }
  return { ...connected, replicas, close }
}

/** Returns whether the data directory has an embedded database. @throws Error for a folder that this user cannot read. */
function hasEmbedded({ dataDir }: Config): boolean {
  return statSync(join(dataDir, 'postgres', 'PG_VERSION'), { throwIfNoEntry: false }) !== undefined
}

/** @throws BadConfig when the embedded database cannot archive to the configured folder. */
function applyArchive({ dataDir, walArchive }: Config, log: (line: string) => void): void {
  keepFilesPrivate(dataDir)
  if (walArchive === undefined && archiveOf(dataDir) !== null)
    log('WAL_ARCHIVE is not set: the archive ends, and a later one needs a new folder.')
  try {
    chooseArchive(dataDir, walArchive)
  } catch (error) {
    throw new BadConfig((error as Error).message, { cause: error })
  }
}

type Urls = { owner: string; server: string | undefined }
type Prepare = (maintenance: pg.Pool, urls: Urls) => Promise<string>

/** Upgrades the schema. Returns the URL of the server's connections. */
async function upgrade(maintenance: pg.Pool, urls: Urls, log: (line: string) => void): Promise<string> {
  await migrate(maintenance, undefined, undefined, log)
  await migrateJobSchema(maintenance)
  return serverUrl(maintenance, urls, log)
}

/** Opens the database with the connections whose URL `prepare` returns. */
async function open(
  config: Config,
  log: (line: string) => void,
  prepare: Prepare,
  onConnectionLost = () => {},
): Promise<Connected> {
  keepFilesPrivate(config.dataDir)
  const embedded =
    config.databaseUrl === undefined
      ? await startEmbedded({ dataDir: config.dataDir, log, onLost: exit }).catch(asConfigError)
      : undefined

  // Without its database the server can do nothing; the process supervisor restarts it.
  function exit(reason: Error): never {
    log(reason.message)
    process.exit(1)
  }

  // The operator must fix what keeps the embedded database from starting.
  function asConfigError(error: Error): never {
    throw new BadConfig(error.message, { cause: error })
  }

  const owner = config.databaseMigrationUrl ?? config.databaseUrl ?? embedded?.connectionString ?? ''
  const server =
    config.databaseMigrationUrl === undefined ? embedded?.serverConnectionString : config.databaseUrl
  const maintenance = new pg.Pool({ connectionString: owner, max: 1 })
  maintenance.on('error', () => {})
  let database: Database | undefined
  const close = async () => {
    await Promise.all([database?.close(), maintenance.end()])
    await embedded?.stop()
  }
  try {
    await waitUntilReachable(owner, log)
    if (server !== undefined) {
      await waitUntilReachable(server, log)
      // Both URLs of the embedded database are of one server.
      if (embedded === undefined) await requireSameDatabase(maintenance, server)
    }
    database = openDatabase(
      { connectionString: await prepare(maintenance, { owner, server }) },
      {
        max: config.databasePool,
        prepare: config.databasePrepare,
        onError: (error) => {
          log(`A database connection was lost: ${error.message}`)
          onConnectionLost()
        },
      },
    )
  } catch (error) {
    await close()
    throw error
  }
  return { database, maintenance, close }
}

/** A database that starts together with the server, as after a power cut, may take this long. */
const STARTUP_TIMEOUT_MS = 30_000

/** @throws BadConfig when the database does not accept connections in time, or rejects ours. */
async function waitUntilReachable(connectionString: string, log: (line: string) => void): Promise<void> {
  const deadline = performance.now() + STARTUP_TIMEOUT_MS
  for (let isLogged = false; ; await sleep(500)) {
    const client = new pg.Client({ connectionString, connectionTimeoutMillis: 5_000 })
    client.on('error', () => {})
    try {
      await client.connect()
      return await client.end()
    } catch (error) {
      // Class 08 connection, 53 out of connections, 57P starting or shutting down: all of these are temporary.
      if (error instanceof pg.DatabaseError && !/^(08|53|57P)/.test(error.code ?? ''))
        throw new BadConfig(
          `The database refuses the connection: ${error.message}. Check DATABASE_URL and DATABASE_MIGRATION_URL.`,
          { cause: error },
        )
      const reason = (error as Error).message || (error as NodeJS.ErrnoException).code
      if (performance.now() > deadline)
        throw new BadConfig(
          `The database does not accept connections: ${reason}. Check DATABASE_URL and that the database server runs.`,
          {
            cause: error,
          },
        )
      if (!isLogged) log(`The database does not accept connections yet (${reason}); waiting.`)
      isLogged = true
    }
  }
}
