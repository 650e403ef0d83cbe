import { readdir, stat, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import type { Config } from '#server/config.ts'
import { type Database, type Db, query } from '#server/database/database.ts'

/** Samples are kept, and rates are computed, over this many days. */
const DAYS = 30

/** The names of samples that are no tables. */
const DATABASE = 'database'
const PICTURE_FILES = 'picture files'

// A table that was never analyzed has -1 rows.
const sampleTables = query<never, []>(
  'sizes_sample_tables',
  `insert into size_samples (day, name, bytes, rows)
   select clock_time()::date, case when nspname <> 'public' then nspname else coalesce(parent.relname, pg_class.relname) end,
          sum(pg_total_relation_size(pg_class.oid)), sum(pg_class.reltuples) filter (where pg_class.reltuples >= 0)
     from pg_class join pg_namespace on pg_namespace.oid = pg_class.relnamespace
     left join pg_inherits on inhrelid = pg_class.oid left join pg_class as parent on parent.oid = inhparent
    where pg_class.relkind = 'r' and nspname in ('public', 'jobs')
    group by 2
   union all
   select clock_time()::date, '${DATABASE}', pg_database_size(current_database()), null
   on conflict (name, day) do update set bytes = excluded.bytes, rows = excluded.rows`,
)
const sampleFiles = query<never, [name: string, bytes: number, rows: number]>(
  'sizes_sample_files',
  `insert into size_samples (day, name, bytes, rows) values (clock_time()::date, $1, $2, $3)
   on conflict (name, day) do update set bytes = excluded.bytes, rows = excluded.rows`,
)
const purgeSamples = query<never, [days: number]>(
  'sizes_purge',
  'delete from size_samples where day < clock_time()::date - $1::int',
)

/** Stores the sizes of all tables, of the database and of the picture folder as those of this day. */
export async function sampleSizes(database: Database, { images }: Config): Promise<void> {
  await sampleTables(database)
  if (images.kind === 'folder') {
    const { bytes, files } = await folderSize(images.folder)
    await sampleFiles(database, PICTURE_FILES, bytes, files)
  }
  await purgeSamples(database, DAYS)
}

type SizeRow = { name: string; bytes: number; rows: number | null; days: number; grown: number }
const readSizes = query<SizeRow, []>(
  'sizes_read',
  `select latest.name, latest.bytes, latest.rows, latest.day - first.day as days, latest.bytes - first.bytes as grown
     from (select distinct on (name) * from size_samples order by name, day desc) as latest
     join (select distinct on (name) * from size_samples order by name, day) as first using (name)
    order by latest.bytes desc, latest.name`,
)

/** A size with its growth per day, null before there are samples of two days. */
export type Size = { name: string; bytes: number; rows: number | null; bytesPerDay: number | null }

export type Growth = {
  database: Size | undefined
  parts: Size[]
  /** The disk of the data folder; undefined with an external database, whose disk is not known here. */
  disk: { freeBytes: number; totalBytes: number; daysLeft: number | null } | undefined
}

/** Returns the latest sizes, largest first, and how long the disk lasts at the present rate. */
export async function readGrowth(db: Db, config: Config): Promise<Growth> {
  const sizes = (await readSizes(db)).map(({ name, bytes, rows, days, grown }) => {
    const bytesPerDay = days === 0 ? null : Math.round(grown / days)
    return { name, bytes, rows, bytesPerDay }
  })
  const database = sizes.find(({ name }) => name === DATABASE)
  const parts = sizes.filter(({ name }) => name !== DATABASE)
  if (config.databaseUrl !== undefined) return { database, parts, disk: undefined }

  const { bavail, blocks, bsize } = await statfs(config.dataDir)
  const freeBytes = bavail * bsize
  const pictures = parts.find(({ name }) => name === PICTURE_FILES)
  const rate = (database?.bytesPerDay ?? 0) + (pictures?.bytesPerDay ?? 0)
  const daysLeft = rate > 0 ? Math.floor(freeBytes / rate) : null
  return { database, parts, disk: { freeBytes, totalBytes: blocks * bsize, daysLeft } }
}

async function folderSize(folder: string): Promise<{ bytes: number; files: number }> {
  const names = await readdir(folder).catch(() => [])
  let bytes = 0
  for (const name of names) {
    // A file can be deleted meanwhile.
    const file = await stat(join(folder, name)).catch(() => undefined)
    bytes += file?.size ?? 0
  }
  return { bytes, files: names.length }
}
