import pg from 'pg'
import type { Config } from '#server/config.ts'
import { type Database, openDatabase } from './database.ts'
import { startEmbedded } from './embedded/launcher.ts'
import { migrate } from './migrate.ts'

/**
 * Opens the database this configuration names, the embedded one where it names none, and brings its schema up to this
 * version. `close` also stops an embedded server that this program started.
 */
export async function connect(
  config: Config,
  log: (line: string) => void,
): Promise<{ database: Database; close(): Promise<void> }> {
  const embedded =
    config.databaseUrl === undefined ? await startEmbedded({ dataDir: config.dataDir, log }) : undefined
  const connectionString = config.databaseUrl ?? embedded?.connectionString ?? ''
  const database = openDatabase(
    { connectionString },
    {
      max: config.databasePool,
      prepare: config.databasePrepare,
      onError: (error) => log(`A database connection was lost: ${error.message}`),
    },
  )
  const close = async () => {
    await database.close()
    await embedded?.stop()
  }
  try {
    await migrateOn(connectionString)
  } catch (error) {
    await close()
    throw error
  }
  return { database, close }
}

/** On a connection of its own: a migration may take longer than the program waits for any other statement. */
async function migrateOn(connectionString: string): Promise<void> {
  const pool = new pg.Pool({ connectionString, max: 1 })
  try {
    await migrate(pool)
  } finally {
    await pool.end()
  }
}
