import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { startEmbedded } from '#server/database/embedded/launcher.ts'
import { migrateJobSchema } from '#server/database/job-schema.ts'
import { migrate } from '#server/database/migrate.ts'
import { grantServerPrivileges, SERVER_ROLE } from '#server/database/server-role.ts'

/** Creates a data directory with the embedded database of an empty marketplace, which is not running. */
export async function prepareData(dataDir: string): Promise<void> {
  const embedded = await startEmbedded({ dataDir, log: () => {} })
  const owner = new pg.Pool({ connectionString: embedded.connectionString, max: 1 })
  owner.on('error', () => {}) // the server may end connections that are still closing
  try {
    await migrate(owner)
    await migrateJobSchema(owner)
    await grantServerPrivileges(owner, SERVER_ROLE)
  } finally {
    await owner.end()
    await embedded.stop()
  }
}

/**
 * Copies the database that `npm test` has prepared to a data directory that has none. To create and migrate a cluster
 * takes as much processor time as everything else that a server does at its start.
 */
export function copyPreparedData(dataDir: string): void {
  const prepared = process.env.TEST_PREPARED_DATA
  if (prepared === undefined || existsSync(join(dataDir, 'postgres'))) return
  mkdirSync(dataDir, { recursive: true })
  copyData(prepared, dataDir)
}

/** Copies the database of a data directory, which is not running, to another data directory. */
export function copyData(from: string, to: string): void {
  const { status, stderr } = spawnSync('cp', ['-a', join(from, 'postgres'), to], { encoding: 'utf8' })
  if (status !== 0) throw new Error(`The database could not be copied: ${stderr}`)
}
