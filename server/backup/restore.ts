import { createReadStream } from 'node:fs'
import { cp, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import pg from 'pg'
import { from as copyFrom } from 'pg-copy-streams'
import { BadConfig } from '#server/bad-config.ts'
import { ownMigrations } from '#server/database/migrate.ts'
import { requireEmpty } from '#server/database/require-empty.ts'
import type { Files } from './backup.ts'
import { createHashStream } from './hash-stream.ts'
import { MANIFEST_FILE, Manifest, PICTURES, tableFile } from './manifest.ts'
import { copyToBucket } from './pictures.ts'

/** Error codes of zlib, and of PostgreSQL for values and rows that it does not accept. */
const DAMAGE = /^(Z_|22|23)/

/**
 * Reads and validates the manifest of a backup.
 * @throws BadConfig for a file that is none.
 */
export async function readManifest(folder: string): Promise<Manifest> {
  const path = join(folder, MANIFEST_FILE)
  const text = await readFile(path, 'utf8')
  try {
    return Manifest.parse(JSON.parse(text))
  } catch {
    throw new BadConfig(`${path} is damaged or is not the manifest of a backup.`)
  }
}

/**
 * Validates the manifest of a backup, and that it was made by a version with these migrations.
 * @throws BadConfig when it is none of this version.
 */
export async function requireOwnBackup(folder: string): Promise<void> {
  requireSameMigrations(await readManifest(folder), ownMigrations())
}

function requireSameMigrations(manifest: Manifest, migrations: readonly string[]): void {
  if (migrations.join(', ') !== manifest.migrations.join(', '))
    throw new BadConfig(
      'This backup was made by another version of the server. Restore it with that version, then start this one.',
    )
}

/**
 * Restores a backup into an empty, migrated database and an empty data directory; pictures into their bucket if there is one. The
 * files come first, so that a restore that fails leaves the database empty and can be repeated.
 */
export async function restore(
  pool: pg.Pool,
  { dataDir, images }: Files,
  folder: string,
  log: (message: string) => void,
): Promise<Manifest> {
  const manifest = await readManifest(folder)
  await requireCompatibleDatabase(pool, manifest)
  for (const name of manifest.files) {
    const files = join(folder, 'files', name)
    if (name === PICTURES && images.kind === 'bucket') await copyToBucket(images, files)
    else await cp(files, join(dataDir, name), { recursive: true })
  }
  return restoreTables(pool, folder, log)
}

/**
 * Fills an empty, migrated database from a backup in one transaction and checks the hash of each file and the row count
 * of each table. The schema must be that of the backup; a newer server migrates the result at its start. Triggers that
 * move coins are disabled, because the tables contain their results already.
 * @throws BadConfig for another schema version, a database that is not empty, or a damaged file.
 */
export async function restoreTables(
  pool: pg.Pool,
  folder: string,
  log: (message: string) => void,
): Promise<Manifest> {
  const manifest = await readManifest(folder)
  const client = await pool.connect()
  try {
    await client.query('begin')
    await requireCompatibleDatabase(client, manifest)
    for (const { name } of manifest.tables)
      await client.query(`alter table public.${pg.escapeIdentifier(name)} disable trigger user`)
    // Migrations insert a few rows, which the backup contains too.
    for (const { name } of manifest.tables.toReversed())
      await client.query(`delete from public.${pg.escapeIdentifier(name)}`)
    for (const table of manifest.tables) {
      log(`Restoring ${table.name} (${table.rows} rows) …`)
      await loadTable(client, table, join(folder, tableFile(table.name)))
    }
    await client.query(SET_SEQUENCES)
    for (const { name } of manifest.tables)
      await client.query(`alter table public.${pg.escapeIdentifier(name)} enable trigger user`)
    await client.query('commit')
  } catch (error) {
    await client.query('rollback').catch(() => {})
    throw error
  } finally {
    client.release(true)
  }
  return manifest
}

async function requireCompatibleDatabase(client: pg.Pool | pg.PoolClient, manifest: Manifest): Promise<void> {
  const { rows: migrations } = await client.query<{ name: string }>(
    'select name from schema_migrations order by name',
  )
  requireSameMigrations(
    manifest,
    migrations.map(({ name }) => name),
  )
  await requireEmpty(client)
}

async function loadTable(
  client: pg.PoolClient,
  table: Manifest['tables'][number],
  path: string,
): Promise<void> {
  const hashing = createHashStream()
  const columns = table.columns.map(pg.escapeIdentifier).join(', ')
  const copy = client.query(
    copyFrom(`copy public.${pg.escapeIdentifier(table.name)} (${columns}) from stdin`),
  )
  await pipeline(createReadStream(path), createGunzip(), hashing.stream, copy).catch(
    (error: Error & { code?: string }) => {
      if (!DAMAGE.test(error.code ?? '')) throw error
      throw new BadConfig(`The file of ${table.name} is damaged: ${error.message}`)
    },
  )
  if (hashing.digest() !== table.sha256)
    throw new BadConfig(`The file of ${table.name} is damaged: its hash differs from the manifest`)
  if (copy.rowCount !== table.rows)
    throw new BadConfig(`${table.name} has ${copy.rowCount} rows instead of ${table.rows}`)
}

/** Sets each identity sequence behind the largest value in its table. */
const SET_SEQUENCES = `
  do $$
  declare
    identity_column record;
  begin
    for identity_column in
      select table_name, column_name, pg_get_serial_sequence(quote_ident(table_name), column_name) as sequence
        from information_schema.columns where table_schema = 'public' and is_identity = 'YES'
         and table_name not in (select relname from pg_class where relispartition)
    loop
      execute format('select setval(%L, greatest((select coalesce(max(%I), 0) from public.%I) + 1, (select last_value from %s)), false)',
        identity_column.sequence, identity_column.column_name, identity_column.table_name, identity_column.sequence);
    end loop;
  end $$`
