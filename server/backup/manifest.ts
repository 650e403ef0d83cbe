import * as z from 'zod'

/** What a backup says of itself: which schema, how many rows of each table with the hash of its file, and the books. */
export const Manifest = z.object({
  version: z.literal(1),
  time: z.string(),
  migrations: z.array(z.string()),
  tables: z.array(
    z.object({ name: z.string(), columns: z.array(z.string()), rows: z.number(), sha256: z.string() }),
  ),
  figures: z.record(z.string(), z.number()),
  files: z.array(z.string()),
})
export type Manifest = z.infer<typeof Manifest>

export const MANIFEST_FILE = 'manifest.json'
export const tableFile = (name: string) => `tables/${name}.copy.gz`

/** What lies in the data folder beside the database: pictures and the generated secret. */
export const DATA_FILES = ['images', 'auth-secret']
