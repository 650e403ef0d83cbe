import { randomInt } from 'node:crypto'
import pg from 'pg'
import { BadConfig } from '#server/bad-config.ts'
import { CLIENT_CHECK } from './database.ts'
import { ownFunctions } from './function-set.ts'
import { inLockedTransaction } from './locked-transaction.ts'

/** The role that the start creates. An operator who sets DATABASE_MIGRATION_URL chooses another name. */
export const SERVER_ROLE = 'tallywork_server'

const LOCK = 7_461_004

/**
 * Gives a role the server's privileges, as the owner of the tables. `create` creates the role first and lets the owner
 * switch to it.
 */
export async function grantServerPrivileges(owner: pg.Pool, role: string, create?: 'create'): Promise<void> {
  await inLockedTransaction(owner, LOCK, async (client) => {
    if (create) await client.query(CREATE)
    await client.query(ownFunctions().qualify('select grant_server_privileges($1)'), [role])
  })
}

const CREATE = `
  do $$
  begin
    if not exists (select from pg_roles where rolname = '${SERVER_ROLE}') then
      create role ${SERVER_ROLE} nologin;
    end if;
    -- Since PostgreSQL 16 the creator of a role may administer it, but not switch to it.
    if not (select rolsuper from pg_roles where rolname = current_user) then
      grant ${SERVER_ROLE} to current_user;
    end if;
  end $$`

/**
 * Returns the URL of the running server's connections, whose role owns nothing, after granting that role its privileges.
 * With DATABASE_URL alone that is its own role switched to `tallywork_server`; where PostgreSQL or a pooler does not allow
 * it, a warning is logged and the server runs as the owner.
 * @throws BadConfig when the role of DATABASE_URL owns what DATABASE_MIGRATION_URL is there to own.
 */
export async function serverUrl(
  owner: pg.Pool,
  urls: { owner: string; server: string | undefined },
  log: (line: string) => void,
): Promise<string> {
  if (urls.server !== undefined) {
    const role = await roleOf(urls.server)
    if (role.isPowerful)
      throw new BadConfig(
        `DATABASE_URL: its role ${role.name} is a superuser or owns tables. DATABASE_MIGRATION_URL is for that role; see docs/operating.md`,
      )
    await grantServerPrivileges(owner, role.name)
    await setClientCheck(owner, urls.server)
    return urls.server
  }
  const url = withRole(urls.owner, SERVER_ROLE)
  try {
    await grantServerPrivileges(owner, SERVER_ROLE, 'create')
    const role = await roleOf(url)
    if (role.name === SERVER_ROLE) return url
    log(`The database ignored the role ${SERVER_ROLE}. ${ADVICE}`)
  } catch (error) {
    if (!(error instanceof pg.DatabaseError)) throw error
    log(`The database refused the role ${SERVER_ROLE} (${error.message}). ${ADVICE}`)
  }
  return urls.owner
}

/**
 * Lets PostgreSQL end abandoned statements on every connection of the server's role (database.ts). PgBouncer may run a statement on
 * another connection than the one on which the server set it.
 */
async function setClientCheck(owner: pg.Pool, server: string): Promise<void> {
  try {
    // Two instances that start at once would change the same row of the catalog.
    await inLockedTransaction(owner, LOCK, () =>
      queryByUrl(server, `alter role current_user set ${CLIENT_CHECK}`),
    )
  } catch (error) {
    // Not every platform of PostgreSQL supports it.
    if (!(error instanceof pg.DatabaseError)) throw error
  }
}

const ADVICE =
  'The server runs as the owner of its tables: set DATABASE_MIGRATION_URL to run it with fewer privileges (docs/operating.md).'

/**
 * Compares the databases of both roles by a lock that the owner holds: a copy of a database has its name and system identifier.
 * @throws BadConfig when the server's URL leads to another database than the owner's.
 */
export async function requireSameDatabase(owner: pg.Pool, server: string): Promise<void> {
  const lock = randomInt(2 ** 47)
  await inLockedTransaction(owner, lock, async () => {
    const other = await queryByUrl(server, 'select where pg_try_advisory_xact_lock($1)', [lock])
    if (other.length > 0)
      throw new BadConfig(
        'DATABASE_URL and DATABASE_MIGRATION_URL name different databases: requests would use the first, migrations and backups the second.',
      )
  })
}

/** Returns the role of new connections, and whether it could change the schema or become a role that can. */
async function roleOf(url: string): Promise<{ name: string; isPowerful: boolean }> {
  const [role] = await queryByUrl<{ name: string; isPowerful: boolean }>(
    url,
    `select rolname as name, rolsuper or rolcreaterole or pg_has_role(rolname, relowner, 'member') as "isPowerful"
       from pg_roles, pg_class where rolname = current_user and pg_class.oid = 'public.schema_migrations'::regclass`,
  )
  if (role === undefined) throw new Error('The database does not know the role of its own connection')
  return role
}

/** Returns the rows of a statement on a connection of its own. */
async function queryByUrl<Row extends pg.QueryResultRow>(
  url: string,
  sql: string,
  values: unknown[] = [],
): Promise<Row[]> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 10_000 })
  client.on('error', () => {})
  await client.connect()
  try {
    return (await client.query<Row>(sql, values)).rows
  } finally {
    await client.end()
  }
}

/** Returns the URL of connections that switch to a role when they begin. */
export function withRole(url: string, role: string): string {
  const changed = new URL(url)
  const given = changed.searchParams.get('options')
  changed.searchParams.set('options', `${given === null ? '' : `${given} `}-c role=${role}`)
  return changed.href
}
