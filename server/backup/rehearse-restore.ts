import pg from 'pg'
import { BadConfig } from '#server/bad-config.ts'
import { type Database, openDatabase } from '#server/database/database.ts'
import { migrate } from '#server/database/migrate.ts'
import { audit } from '#server/ledger/audit.ts'
import type { Manifest } from './manifest.ts'
import { requireOwnBackup, restoreTables } from './restore.ts'

const INSUFFICIENT_PRIVILEGE = '42501'
/** Marks databases that a rehearsal may delete. */
const COMMENT = 'Rehearsal of a restore'
const OTHER_DATABASE = `select from pg_database
  where datname = $1 and shobj_description(oid, 'pg_database') is distinct from $2`
/**
 * Returns the statement that creates a database with the encoding and the locale of this one. A server may have others by default, in
 * which texts are longer, or cannot be stored. The column of the locale has two names, and PostgreSQL 15 and 16 have no builtin one.
 */
const CREATE = `
  select format('create database %I template template0 encoding %L lc_collate %L lc_ctype %L', $1::text,
                pg_encoding_to_char(encoding), datcollate, datctype)
         || case datlocprovider
              when 'c' then ' locale_provider libc'
              when 'i' then format(' locale_provider icu icu_locale %L', locale)
              when 'b' then format(' locale_provider builtin builtin_locale %L', locale)
            end as statement
    from pg_database, coalesce(to_jsonb(pg_database) ->> 'datlocale', to_jsonb(pg_database) ->> 'daticulocale') as locale
   where datname = current_database()`

/**
 * Proves that a backup can be restored: restores its tables into a temporary database of the same server, audits the books
 * and compares the totals. Deletes that database, also one that a killed rehearsal left.
 * @throws BadConfig when the backup is damaged, the role may create no database, or another one has the name.
 */
export async function rehearseRestore(
  owner: pg.Pool,
  folder: string,
  log: (message: string) => void,
): Promise<void> {
  // Before a database is created and migrated, which takes seconds.
  await requireOwnBackup(folder)
  const { rows } = await owner.query<{ name: string }>('select current_database() as name')
  const name = `${rows[0]?.name}_rehearsal`
  const drop = () => owner.query(`drop database if exists ${pg.escapeIdentifier(name)}`)
  const { rows: others } = await owner.query(OTHER_DATABASE, [name, COMMENT])
  if (others.length > 0)
    throw new BadConfig(`The restore cannot be rehearsed: there is a database ${name} of another origin.`)
  await drop()
  try {
    const { rows: statements } = await owner.query<{ statement: string }>(CREATE, [name])
    await owner.query(statements[0]?.statement ?? '')
    await owner.query(`comment on database ${pg.escapeIdentifier(name)} is '${COMMENT}'`)
  } catch (error) {
    if ((error as pg.DatabaseError).code !== INSUFFICIENT_PRIVILEGE) throw error
    throw new BadConfig(
      'The restore cannot be rehearsed: the role of the owner may not create databases. Run: alter role … createdb',
    )
  }
  try {
    await restoreInto(urlOf(owner, name), folder, log)
  } finally {
    await drop()
  }
}

async function restoreInto(
  connectionString: string,
  folder: string,
  log: (message: string) => void,
): Promise<void> {
  const pool = new pg.Pool({ connectionString, max: 1 })
  const database = openDatabase({ connectionString }, { max: 2, prepare: true })
  try {
    await migrate(pool)
    await requireSameTotals(database, await restoreTables(pool, folder, log))
  } finally {
    await Promise.all([database.close(), pool.end()])
  }
}

/** @throws BadConfig when the books of a restored database do not balance or differ from the backup's. */
export async function requireSameTotals(database: Database, { figures }: Manifest): Promise<void> {
  const { balanced, figures: totals } = await audit(database)
  const differing = Object.entries(figures).filter(([name, coins]) => totals[name] !== coins)
  if (!balanced || differing.length > 0)
    throw new BadConfig(`The restored ledger differs from the backup: ${JSON.stringify(differing)}`)
}

function urlOf(pool: pg.Pool, database: string): string {
  const url = new URL(pool.options.connectionString ?? '')
  url.pathname = `/${database}`
  return url.href
}
