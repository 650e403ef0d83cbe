import { Client } from 'pg'

const USER = 'tallywork'
const DATABASE = 'tallywork'
/** Exists in every cluster from the beginning. */
const FIRST_DATABASE = 'postgres'

/** The address of the program's database behind a socket. A host must stand in it; the `host` parameter wins. */
export function connectionString(socketDir: string, database = DATABASE): string {
  return `postgresql://${USER}@localhost:5432/${database}?host=${encodeURIComponent(socketDir)}`
}

/** Whether the server behind a socket takes connections. */
export function answers(socketDir: string): Promise<boolean> {
  return takesConnections(connectionString(socketDir, FIRST_DATABASE))
}

/** Whether the server behind a socket takes connections and has the program's database. */
export function serves(socketDir: string): Promise<boolean> {
  return takesConnections(connectionString(socketDir))
}

async function takesConnections(address: string): Promise<boolean> {
  try {
    return await onClient(address, async () => true)
  } catch {
    return false
  }
}

/** Creates the program's database in a new cluster. */
export async function ensureDatabase(socketDir: string): Promise<void> {
  await onClient(connectionString(socketDir, FIRST_DATABASE), async (client) => {
    const found = await client.query('select from pg_database where datname = $1', [DATABASE])
    if (found.rowCount === 0) await client.query(`create database ${DATABASE}`)
  })
}

async function onClient<T>(address: string, run: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client({ connectionString: address, connectionTimeoutMillis: 10_000 })
  client.on('error', () => {}) // the server may go away under us; whoever asks something is told
  await client.connect()
  try {
    return await run(client)
  } finally {
    await client.end()
  }
}
