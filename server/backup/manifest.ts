import * as z from 'zod'

/** Describes a backup: its schema version, the row count and file hash of each table, and the totals of the ledger. */
export const Manifest = z.object({
  version: z.literal(1),
  time: z.string(),
  migrations: z.array(z.string()),
  tables: z.array(
    z.object({ name: z.string(), columns: z.array(z.string()), rows: z.number(), sha256: z.string() }),
  ),
  /** The totals of the ledger in coins, by name. */
  figures: z.record(z.string(), z.number()),
  files: z.array(z.string()),
  /** The pictures that are stored as files, and how many of them the backup lacks. Backups of earlier versions did not count them. */
  pictures: z.object({ total: z.number(), missing: z.number() }).default({ total: 0, missing: 0 }),
})
export type Manifest = z.infer<typeof Manifest>

export const MANIFEST_FILE = 'manifest.json'
export const tableFile = (name: string) => `tables/${name}.copy.gz`

export const PICTURES = 'images'
/** What the data folder has besides the database: pictures and the generated secret. */
export const DATA_FILES = [PICTURES, 'auth-secret']
