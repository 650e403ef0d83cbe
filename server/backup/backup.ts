import { createWriteStream, existsSync } from 'node:fs'
import { mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import pg from 'pg'
import { to as copyTo } from 'pg-copy-streams'
import { BadConfig } from '#server/bad-config.ts'
import type { Config } from '#server/config.ts'
import { ownFunctions } from '#server/database/function-set.ts'
import { createHashStream } from './hash-stream.ts'
import { DATA_FILES, MANIFEST_FILE, type Manifest, PICTURES, tableFile } from './manifest.ts'
import { copyDataFiles, copyFromBucket, picturesMissingIn } from './pictures.ts'
import { type Table, tablesInDependencyOrder } from './tables.ts'

/** What a backup has besides the database. */
export type Files = Pick<Config, 'dataDir' | 'images'>

/**
 * Writes a backup of a running installation into a new folder: all tables in one snapshot, pictures, also those
 * in a bucket, and the generated secret. Does not block writers. The folder gets its name when the backup is complete; of
 * a backup that fails nothing is left.
 * @throws BadConfig when the folder is not empty.
 */
export async function backup(
  pool: pg.Pool,
  files: Files,
  folder: string,
  log: (message: string) => void,
): Promise<Manifest> {
  if (existsSync(folder) && (await readdir(folder)).length > 0) throw new BadConfig(`${folder} is not empty`)
  const partial = `${folder}.partial`
  await rm(partial, { recursive: true, force: true })
  try {
    const manifest = await copyInto(partial, pool, files, log)
    await rm(folder, { recursive: true, force: true })
    await rename(partial, folder)
    return manifest
  } catch (error) {
    // It may have filled the disk.
    await rm(partial, { recursive: true, force: true })
    throw error
  }
}

/** Copies everything into a new folder and returns its manifest. When it throws, nothing writes into the folder any more. */
async function copyInto(
  partial: string,
  pool: pg.Pool,
  { dataDir, images }: Files,
  log: (message: string) => void,
): Promise<Manifest> {
  await mkdir(join(partial, 'tables'), { recursive: true, mode: 0o700 })
  const client = await pool.connect()
  let manifest: Manifest
  let pictures: string[]
  try {
    // Before the snapshot: payouts that are confirmed from here on are imported again after a restore.
    const time = new Date().toISOString()
    await client.query('begin isolation level repeatable read read only')
    const migrations = await client.query<{ name: string }>(
      'select name from schema_migrations order by name',
    )
    const totals = await client.query<{ name: string; coins: number }>(
      ownFunctions().qualify('select name, coins from ledger_totals()'),
    )
    const tables: Manifest['tables'] = []
    for (const table of await tablesInDependencyOrder(client)) {
      log(`Copying ${table.name} …`)
      tables.push({ ...table, ...(await copyTable(client, table, join(partial, tableFile(table.name)))) })
    }
    manifest = {
      version: 1,
      time,
      migrations: migrations.rows.map(({ name }) => name),
      tables,
      figures: Object.fromEntries(totals.rows.map(({ name, coins }) => [name, Number(coins)])),
      files: DATA_FILES.filter((name) => existsSync(join(dataDir, name))),
      pictures: { total: 0, missing: 0 },
    }
    // Those that were uploaded to a host have URLs of another form.
    const { rows } = await client.query<{ hash: string }>(
      `select hash from images where url like '%/' || hash || '-%'`,
    )
    pictures = rows.map(({ hash }) => hash)
    await client.query('commit')
  } finally {
    client.release(true)
  }

  await copyDataFiles(dataDir, manifest.files, join(partial, 'files'))
  if (images.kind === 'bucket') {
    log(`Copying ${pictures.length} pictures …`)
    await copyFromBucket(images, pictures, join(partial, 'files', PICTURES))
    manifest.files = [...new Set([...manifest.files, PICTURES])]
  }
  manifest.pictures = {
    total: pictures.length,
    missing: await countStored(pool, await picturesMissingIn(join(partial, 'files', PICTURES), pictures)),
  }
  logMissingPictures(manifest, log)
  await writeFile(join(partial, MANIFEST_FILE), JSON.stringify(manifest, null, 2))
  return manifest
}

/** Returns how many of these pictures still exist: unused ones are deleted while a backup runs. */
async function countStored(pool: pg.Pool, pictures: readonly string[]): Promise<number> {
  const { rows } = await pool.query<{ count: number }>(
    'select count(*)::int as count from images where hash = any ($1)',
    [pictures],
  )
  return rows[0]?.count ?? 0
}

/** Logs how many pictures a backup lacks, if there are any. */
export function logMissingPictures({ pictures }: Manifest, log: (message: string) => void): void {
  const { total, missing } = pictures
  if (missing > 0) log(`The files of ${missing} of ${total} pictures are missing.`)
}

async function copyTable(
  client: pg.PoolClient,
  { name, columns }: Table,
  path: string,
): Promise<{ rows: number; sha256: string }> {
  const hashing = createHashStream()
  const copy = client.query(
    // The rows of a partitioned table are copied only as those of a query.
    copyTo(
      `copy (select ${columns.map(pg.escapeIdentifier).join(', ')} from public.${pg.escapeIdentifier(name)}) to stdout`,
    ),
  )
  await pipeline(copy, hashing.stream, createGzip({ level: 6 }), createWriteStream(path, { mode: 0o600 }))
  return { rows: copy.rowCount, sha256: hashing.digest() }
}
