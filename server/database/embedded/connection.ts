import { Client } from 'pg'

const USER = 'tallywork'

/** The connection string of a database behind a socket. A host must stand in it; the `host` parameter wins. */
export function connectionString(socketDir: string, database: string): string {
  return `postgresql://${USER}@localhost:5432/${database}?host=${encodeURIComponent(socketDir)}`
}

/** Whether the server behind a socket takes connections. */
export async function answers(socketDir: string): Promise<boolean> {
  return (await withClient(socketDir, async () => true)) ?? false
}

/** Creates the program's database in a new cluster. */
export async function ensureDatabase(socketDir: string, database: string): Promise<void> {
  await withClient(socketDir, async (client) => {
    const found = await client.query('select from pg_database where datname = $1', [database])
    if (found.rowCount === 0) await client.query(`create database ${database}`)
  })
}

/** Runs something on a connection of its own; null when there is no connection. */
async function withClient<T>(socketDir: string, run: (client: Client) => Promise<T>): Promise<T | null> {
  const client = new Client({
    connectionString: connectionString(socketDir, 'postgres'),
    connectionTimeoutMillis: 2000,
  })
  client.on('error', () => {}) // the server may go away under us; the query says so
  try {
    await client.connect()
  } catch {
    return null
  }
  try {
    return await run(client)
  } finally {
    await client.end()
  }
}
