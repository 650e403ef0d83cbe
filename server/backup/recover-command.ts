import { resolve } from 'node:path'
import { BadConfig } from '#server/bad-config.ts'
import { readConfig } from '#server/config.ts'
import { requireOwnSchema } from '#server/database/migrate.ts'
import { keepFilesPrivate } from '#server/private-files.ts'
import { runCommand } from '#server/run-command.ts'
import { recover } from './recover.ts'
import { requireBalancedBooks } from './rehearse-recovery.ts'

const log = (message: string) => console.log(message)

/**
 * `npm run recover -- ARCHIVE [TIME]` recovers the embedded database into a DATA_DIR without one, from a folder that was
 * WAL_ARCHIVE: to a time like 2026-11-23T03:00:00Z, or to the end of the archive. Audits the ledger.
 */
const [archive = '', time] = process.argv.slice(2)
if (archive === '') {
  console.error('Usage: npm run recover -- ARCHIVE [TIME]')
  process.exit(2)
}
await runCommand(() => run(resolve(archive), time))

async function run(folder: string, timeText: string | undefined): Promise<void> {
  const { databaseUrl, dataDir } = readConfig()
  if (databaseUrl !== undefined)
    throw new BadConfig('DATABASE_URL is set: this command recovers the embedded database. Unset it.')
  const until = timeText === undefined ? undefined : new Date(timeText)
  if (Number.isNaN(until?.getTime()))
    throw new BadConfig(`${timeText} is not a time. Write it like 2026-11-23T03:00:00Z.`)
  keepFilesPrivate(dataDir)
  await recover(
    { archive: folder, dataDir, until },
    async (pool, gap) => {
      if (gap !== undefined) log(`${gap} The database is recovered up to there.`)
      await requireOwnSchema(pool)
      await requireBalancedBooks(pool)
      const { rows } = await pool.query<{ time: Date | null }>(
        'select pg_last_xact_replay_timestamp() as time',
      )
      log(
        `The books balance. The last transaction is of ${rows[0]?.time?.toISOString() ?? 'the base backup'}.`,
      )
    },
    log,
  )
  log(`Recovered to ${dataDir}. Set WAL_ARCHIVE to a new folder before you start the server there.`)
}
