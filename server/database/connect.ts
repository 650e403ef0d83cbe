import { setTimeout as sleep } from 'node:timers/promises'
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
    await waitFor(connectionString, log)
    await migrate(patient)
  } catch (error) {
    await close()
    throw error
  }
  return { database, patient, close }
}

/** A database that starts at the same time as the program, as after a power cut, may take so long. */
const COMES_WITHIN_MS = 30_000

/** @throws BadConfig with a sentence where the database does not come; its own error where it turns us away. */
async function waitFor(connectionString: string, log: (line: string) => void): Promise<void> {
  const until = performance.now() + COMES_WITHIN_MS
  for (let told = false; ; await sleep(500)) {
    const client = new pg.Client({ connectionString, connectionTimeoutMillis: 5_000 })
    client.on('error', () => {})
    try {
      await client.connect()
      return await client.end()
    } catch (error) {
      // Class 08 connection, 53 out of connections, 57P starting or shutting down: all of them pass.
      if (error instanceof pg.DatabaseError && !/^(08|53|57P)/.test(error.code ?? '')) throw error
      const why = (error as Error).message || (error as NodeJS.ErrnoException).code
      if (performance.now() > until)
        throw new BadConfig(`The database does not answer: ${why}. Is DATABASE_URL right, and does it run?`, {
          cause: error,
        })
      if (!told) log(`The database does not answer yet (${why}); waiting for it.`)
      told = true
    }
  }
}
