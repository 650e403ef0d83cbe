import pg from 'pg'
import { startEmbedded } from '#server/database/embedded/launcher.ts'

/** Runs a statement in the database of the browser tests' server, for changes that only time or an operator makes. */
export async function runInDatabase(statement: string, values: unknown[]): Promise<void> {
  const { E2E_DATA_DIR: dataDir } = process.env
  if (dataDir === undefined) throw new Error('The data directory of the server at E2E_URL is not known')
  const embedded = await startEmbedded({ dataDir, log: () => {} })
  const client = new pg.Client({ connectionString: embedded.connectionString })
  try {
    await client.connect()
    await client.query(statement, values)
  } finally {
    await client.end()
    await embedded.stop()
  }
}
