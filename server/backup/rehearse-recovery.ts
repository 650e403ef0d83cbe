import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { BadConfig } from '#server/bad-config.ts'
import { openDatabase } from '#server/database/database.ts'
import { inSchema, ownFunctions } from '#server/database/function-set.ts'
import { lastUsedSchema } from '#server/database/installed-sets.ts'
import { audit } from '#server/ledger/audit.ts'
import { recover } from './recover.ts'

const ARCHIVED_WITHIN_MS = 120_000
const PREFIX = 'rehearsal-'

/**
 * Proves that the running embedded database can be recovered from its archive: recovers a copy beside it from the newest base
 * backup with all WAL up to the beginning of the rehearsal, and audits its books. Deletes that copy, also one that a killed rehearsal
 * left: only one may run at a time.
 * @throws BadConfig when any step fails.
 */
export async function rehearseRecovery(owner: pg.Pool, archive: string, dataDir: string): Promise<void> {
  // Without new WAL this is the end of the segment before, which is archived, and not the next one, which is not.
  const { rows } = await owner.query<{ file: string }>('select pg_walfile_name(pg_switch_wal() - 1) as file')
  await waitUntilArchived(owner, rows[0]?.file ?? '')
  for (const name of await readdir(dataDir))
    if (name.startsWith(PREFIX)) await rm(join(dataDir, name), { recursive: true, force: true })
  const folder = await mkdtemp(join(dataDir, PREFIX))
  try {
    await recover(
      { archive, dataDir: folder, until: undefined },
      async (pool, gap) => {
        if (gap !== undefined) throw new BadConfig(`${gap} Set WAL_ARCHIVE to a new folder.`)
        await requireBalancedBooks(pool)
      },
      () => {},
    )
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** @throws BadConfig when the books of a recovered database, which may be of an earlier version, do not balance. */
export async function requireBalancedBooks(pool: pg.Pool): Promise<void> {
  const { connectionString } = pool.options
  const functions = inSchema(ownFunctions(), await lastUsedSchema(pool))
  const database = openDatabase({ connectionString }, { max: 2, prepare: true, functions })
  try {
    const { balanced } = await audit(database)
    if (!balanced) throw new BadConfig('The books of the recovered database do not balance.')
  } finally {
    await database.close()
  }
}

async function waitUntilArchived(owner: pg.Pool, file: string): Promise<void> {
  for (const deadline = Date.now() + ARCHIVED_WITHIN_MS; ; await sleep(200)) {
    const { rows } = await owner.query<{ last: string | null }>(
      'select last_archived_wal as last from pg_stat_archiver',
    )
    const last = rows[0]?.last ?? ''
    // Names of history files and labels begin with a segment's or are shorter.
    if (last.slice(0, 24) >= file) return
    if (Date.now() > deadline)
      throw new BadConfig(
        'The WAL is not archived. The log of the database, postgres.log in DATA_DIR, says why.',
      )
  }
}
