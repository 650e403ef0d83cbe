import pg from 'pg'
import { BadConfig, type Config } from '#server/config.ts'
import { type Database, openDatabase } from './database.ts'
import { startEmbedded } from './embedded/launcher.ts'
import { migrate } from './migrate.ts'

/**
 * Opens the database this configuration names, the embedded one where it names none, and brings its schema up to this
 * version. `patient` is one connection for what may take long: migrations, backups. `close` also stops an embedded server
 * that this program started.
 */
export async function connect(
  config: Config,
  log: (line: string) => void,
): Promise<{ database: Database; patient: pg.Pool; close(): Promise<void> }> {
  const embedded =
    config.databaseUrl === undefined
      ? await startEmbedded({ dataDir: config.dataDir, log, onLost: endWithout }).catch(inASentence)
      : undefined

  // Without its database the program can do nothing; whoever supervises it starts it afresh.
  function endWithout(reason: Error): never {
    log(reason.message)
    process.exit(1)
  }

  // What keeps the embedded database from starting is the operator's to mend.
  function inASentence(error: Error): never {
    throw new BadConfig(error.message, { cause: error })
  }

  const connectionString = config.databaseUrl ?? embedded?.connectionString ?? ''
  const database = openDatabase(
    { connectionString },
    {
      max: config.databasePool,
      prepare: config.databasePrepare,
      onError: (error) => log(`A database connection was lost: ${error.message}`),
    },
  )
  const patient = new pg.Pool({ connectionString, max: 1 })
  patient.on('error', () => {})
  const close = async () => {
    await Promise.all([database.close(), patient.end()])
    await embedded?.stop()
  }
  try {
    await migrate(patient)
  } catch (error) {
    await close()
    throw error
  }
  return { database, patient, close }
}
