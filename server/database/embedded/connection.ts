import { Client } from 'pg'
import { SERVER_ROLE } from '../server-role.ts'

const USER = 'tallywork'
const DATABASE = 'tallywork'
/** Exists in every new cluster. */
const DEFAULT_DATABASE = 'postgres'

/** Returns the URL of the server's database behind a Unix socket. The `host` parameter overrides the host name. */
export function connectionString(socketDir: string, database = DATABASE, user = USER): string {
  return `postgresql://${user}@localhost:5432/${database}?host=${encodeURIComponent(socketDir)}`
}

/** Returns whether the server behind a socket accepts connections. */
export function acceptsConnections(socketDir: string): Promise<boolean> {
  return canConnect(connectionString(socketDir, DEFAULT_DATABASE))
}

/** Returns whether the server behind a socket accepts connections and has our database. */
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

/** Returns the URL of connections whose role owns nothing. */
export function serverConnectionString(socketDir: string): string {
  return connectionString(socketDir, DATABASE, SERVER_ROLE)
}

/** Creates our database and the role of the running server in a new cluster. */
export async function ensureDatabase(socketDir: string): Promise<void> {
  await withClient(connectionString(socketDir, DEFAULT_DATABASE), async (client) => {
    const found = await client.query('select from pg_database where datname = $1', [DATABASE])
    if (found.rowCount === 0) await client.query(`create database ${DATABASE}`)
    const role = await client.query('select from pg_roles where rolname = $1', [SERVER_ROLE])
    if (role.rowCount === 0) await client.query(`create role ${SERVER_ROLE} login`)
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
