import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { BadConfig } from '#server/bad-config.ts'
import type { Config } from '#server/config.ts'
import { keepFilesPrivate } from '#server/private-files.ts'
import { type Database, openDatabase } from './database.ts'
import { startEmbedded } from './embedded/launcher.ts'
import { migrateJobSchema } from './job-schema.ts'
import { migrate } from './migrate.ts'
import { serverUrl } from './server-role.ts'

/**
 * Opens the configured database, or the embedded one when none is configured, and upgrades its schema. The connections of
 * `database` have a role that owns nothing (docs/decisions/0023-the-server-role.md). `maintenance` is one connection of the
 * owner without a query timeout, for migrations and backups. `close` also stops the embedded database server if this
 * process started it.
 */
export async function connect(
  config: Config,
  log: (line: string) => void,
): Promise<{ database: Database; maintenance: pg.Pool; close(): Promise<void> }> {
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
    if (server !== undefined) await waitUntilReachable(server, log)
    await migrate(maintenance)
    await migrateJobSchema(maintenance)
    database = openDatabase(
      { connectionString: await serverUrl(maintenance, { owner, server }, log) },
      {
        max: config.databasePool,
        prepare: config.databasePrepare,
        onError: (error) => log(`A database connection was lost: ${error.message}`),
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

/** @throws BadConfig when the database does not accept connections in time; its own error when it rejects ours. */
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
      if (error instanceof pg.DatabaseError && !/^(08|53|57P)/.test(error.code ?? '')) throw error
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
