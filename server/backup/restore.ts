import { createReadStream } from 'node:fs'
import { cp, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import type pg from 'pg'
import { from as copyFrom } from 'pg-copy-streams'
import { hashThrough } from './hash-through.ts'
import { MANIFEST_FILE, Manifest, tableFile } from './manifest.ts'
import { quoted } from './tables.ts'

export async function readManifest(folder: string): Promise<Manifest> {
  return Manifest.parse(JSON.parse(await readFile(join(folder, MANIFEST_FILE), 'utf8')))
}

/**
 * Fills an empty, migrated database from a backup, in one transaction: each file is checked against its hash, each
 * table against its number of rows. The schema must be the backup's own (start the program on the result to bring it
 * forward). The triggers that move coins rest meanwhile: what they did is in the tables already.
 */
export async function restore(
  pool: pg.Pool,
  dataDir: string,
  folder: string,
  log: (line: string) => void,
): Promise<Manifest> {
  const manifest = await readManifest(folder)
  const client = await pool.connect()
  try {
    await client.query('begin')
    await refuseUnfit(client, manifest)
    for (const { name } of manifest.tables)
      await client.query(`alter table public.${quoted(name)} disable trigger user`)
    // Migrations bring a few rows of their own; the backup has them too.
    for (const { name } of manifest.tables.toReversed())
      await client.query(`delete from public.${quoted(name)}`)
    for (const table of manifest.tables) {
      log(`Restoring ${table.name} (${table.rows} rows) …`)
      await loadTable(client, table, join(folder, tableFile(table.name)))
    }
    await client.query(CONTINUE_NUMBERING)
    for (const { name } of manifest.tables)
      await client.query(`alter table public.${quoted(name)} enable trigger user`)
    await client.query('commit')
  } catch (error) {
    await client.query('rollback').catch(() => {})
    throw error
  } finally {
    client.release(true)
  }
  for (const name of manifest.files)
    await cp(join(folder, 'files', name), join(dataDir, name), { recursive: true })
  return manifest
}

async function refuseUnfit(client: pg.PoolClient, manifest: Manifest): Promise<void> {
  const { rows: migrations } = await client.query<{ name: string }>(
    'select name from schema_migrations order by name',
  )
  const here = migrations.map(({ name }) => name).join(', ')
  if (here !== manifest.migrations.join(', ')) {
    throw new Error(
      'This backup is of another version of the program. Restore it with that version, then start this one.',
    )
  }
  const { rows: people } = await client.query('select from identities limit 1')
  if (people.length > 0) throw new Error('This database is not empty. Restore into a new folder or database.')
}

async function loadTable(
  client: pg.PoolClient,
  table: Manifest['tables'][number],
  path: string,
): Promise<void> {
  const hashing = hashThrough()
  const columns = table.columns.map(quoted).join(', ')
  const copy = client.query(copyFrom(`copy public.${quoted(table.name)} (${columns}) from stdin`))
  await pipeline(createReadStream(path), createGunzip(), hashing.stream, copy)
  if (hashing.digest() !== table.sha256)
    throw new Error(`The file of ${table.name} is not what was backed up`)
  if (copy.rowCount !== table.rows)
    throw new Error(`${table.name} has ${copy.rowCount} rows instead of ${table.rows}`)
}

/** Numbered tables go on after their last number. */
const CONTINUE_NUMBERING = `
  do $$
  declare
    numbered record;
  begin
    for numbered in
      select table_name, column_name, pg_get_serial_sequence(quote_ident(table_name), column_name) as sequence
        from information_schema.columns where table_schema = 'public' and is_identity = 'YES'
    loop
      execute format('select setval(%L, greatest((select coalesce(max(%I), 0) from public.%I) + 1, (select last_value from %s)), false)',
        numbered.sequence, numbered.column_name, numbered.table_name, numbered.sequence);
    end loop;
  end $$`
