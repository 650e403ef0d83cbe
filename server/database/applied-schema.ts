import type pg from 'pg'
import type { AppliedSchema } from './schema-version.ts'
import type { InstalledFile } from './shared-functions.ts'

/** Returns the migrations that ran on a database and the version of its functions; undefined when it has none. */
export async function appliedSchema(pool: pg.Pool): Promise<AppliedSchema | undefined> {
  const { rows: found } = await pool.query<{ exists: boolean }>(
    `select to_regclass('public.schema_migrations') is not null as exists`,
  )
  if (found[0]?.exists !== true) return undefined
  const { rows } = await pool.query<{ name: string }>('select name from public.schema_migrations')
  const { version } = await installedFunctions(pool)
  return { migrations: rows.map(({ name }) => name), functionsOf: version }
}

type InstalledFunctions = {
  sha256: string | null
  version: string | null
  files: Record<string, InstalledFile>
}

/** Returns the version that installed functions last, its fingerprint, and the files of functions that triggers need. */
export async function installedFunctions(client: pg.Pool | pg.ClientBase): Promise<InstalledFunctions> {
  // The columns of the version and of the files are younger than the table.
  const { rows } = await client.query<InstalledFunctions>(
    `select sha256, to_jsonb(installed) ->> 'version' as version, coalesce(to_jsonb(installed) -> 'files', '{}') as files
       from public.schema_functions as installed`,
  )
  return rows[0] ?? { sha256: null, version: null, files: {} }
}
