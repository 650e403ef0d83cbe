import { Client } from 'pg'

const USER = 'tallywork'
const DATABASE = 'tallywork'
/** Exists in every new cluster. */
const DEFAULT_DATABASE = 'postgres'

/** Returns the URL of the server's database behind a Unix socket. The `host` parameter overrides the host name. */
export function connectionString(socketDir: string, database = DATABASE): string {
  return `postgresql://${USER}@localhost:5432/${database}?host=${encodeURIComponent(socketDir)}`
}

/** Whether the server behind a socket accepts connections. */
export function acceptsConnections(socketDir: string): Promise<boolean> {
  return canConnect(connectionString(socketDir, DEFAULT_DATABASE))
}

/** Whether the server behind a socket accepts connections and has our database. */
export function hasDatabase(socketDir: string): Promise<boolean> {
  return canConnect(connectionString(socketDir))
}

async function canConnect(url: string): Promise<boolean> {
  try {
    return await withClient(url, async () => true)
  } catch {
    return false
  }
}

/** Creates our database in a new cluster. */
export async function ensureDatabase(socketDir: string): Promise<void> {
  await withClient(connectionString(socketDir, DEFAULT_DATABASE), async (client) => {
    const found = await client.query('select from pg_database where datname = $1', [DATABASE])
    if (found.rowCount === 0) await client.query(`create database ${DATABASE}`)
  })
}

async function withClient<T>(url: string, run: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: 10_000 })
  client.on('error', () => {}) // the server may stop meanwhile; queries then fail
  await client.connect()
  try {
    return await run(client)
  } finally {
    await client.end()
  }
}
