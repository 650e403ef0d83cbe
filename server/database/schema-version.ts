import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { BadConfig } from '#server/bad-config.ts'

const manifest = readFileSync(join(import.meta.dirname, '..', '..', 'package.json'), 'utf8')

/** The version of this server. */
export const VERSION: string = (JSON.parse(manifest) as { version: string }).version

/** What a database says about its schema: the migrations that ran, and the version whose functions it has. */
export type AppliedSchema = { migrations: readonly string[]; functionsOf: string | null }

/**
 * Refuses a schema that a newer version has upgraded: this version would replace functions that the newer one needs.
 * @throws BadConfig
 */
export function refuseNewerSchema({ migrations, functionsOf }: AppliedSchema, own: readonly string[]): void {
  const known = new Set(own)
  const unknown = migrations.filter((name) => !known.has(name))
  const isNewer = functionsOf !== null && compareVersions(functionsOf, VERSION) > 0
  if (unknown.length === 0 && !isNewer) return
  const by = isNewer ? `version ${functionsOf}` : `a newer version (migration ${unknown[0]})`
  throw new BadConfig(
    `The database was upgraded by ${by}; this is version ${VERSION}. Start that version, or restore a backup of this one into an empty database.`,
  )
}

/**
 * Refuses every schema but that of this version, for commands that do not migrate.
 * @throws BadConfig
 */
export function refuseOtherSchema(applied: AppliedSchema | undefined, own: readonly string[]): void {
  if (applied === undefined)
    throw new BadConfig('The database has no tables of this server. Check DATABASE_URL and DATA_DIR.')
  refuseNewerSchema(applied, own)
  const ran = new Set(applied.migrations)
  const missing = own.filter((name) => !ran.has(name))
  if (missing.length > 0)
    throw new BadConfig(
      `The database is of an earlier version (migration ${missing[0]} has not run). This command changes no schema: start the server of version ${VERSION} first, or run the command of the earlier version.`,
    )
}

/**
 * Refuses a schema without the functions of this version, for commands that do not install them.
 * @throws BadConfig
 */
export function refuseOtherFunctions(): never {
  throw new BadConfig(
    `The database has no functions of version ${VERSION}. This command installs none: start the server of this version first, or run the command of the version that runs.`,
  )
}

/** Compares versions like 0.10.2 part by part. */
function compareVersions(one: string, other: string): number {
  const [left, right] = [one, other].map((version) => version.split('.').map(Number))
  for (let part = 0; part < 3; part++) {
    const difference = (left?.[part] ?? 0) - (right?.[part] ?? 0)
    if (difference !== 0) return difference
  }
  return 0
}
