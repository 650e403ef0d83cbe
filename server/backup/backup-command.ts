import { resolve } from 'node:path'
import type pg from 'pg'
import { readConfig } from '#server/config.ts'
import { connect } from '#server/database/connect.ts'
import { audit } from '#server/ledger/audit.ts'
import { backup } from './backup.ts'
import { restore } from './restore.ts'

/**
 * `npm run backup -- FOLDER` backs up the configured installation, which may be running. `npm run restore -- FOLDER`
 * restores into the configured empty installation, audits its ledger and compares the ledger's totals with the backup's.
 */
const [command, path = ''] = process.argv.slice(2)
if ((command !== 'backup' && command !== 'restore') || path === '') {
  console.error('Usage: npm run backup -- FOLDER, or npm run restore -- FOLDER')
  process.exit(2)
}
const folder = resolve(path)
const config = readConfig()
const log = (message: string) => console.log(message)
const { database, maintenance, close } = await connect(config, log)
try {
  if (command === 'backup') {
    const { tables } = await backup(maintenance, config.dataDir, folder, log)
    await recordBackup(maintenance, log)
    log(
      `Backed up ${tables.length} tables, ${tables.reduce((sum, { rows }) => sum + rows, 0)} rows, to ${folder}`,
    )
  } else {
    const manifest = await restore(maintenance, config.dataDir, folder, log)
    const { balanced, figures: totals } = await audit(database)
    const differing = Object.entries(manifest.figures).filter(([name, coins]) => totals[name] !== coins)
    if (!balanced || differing.length > 0)
      throw new Error(`The restored ledger differs from the backup: ${JSON.stringify(differing)}`)
    log(`Restored from ${folder}: the books balance and match the totals of the backup.`)
  }
} catch (error) {
  console.error((error as Error).message)
  process.exitCode = 1
} finally {
  await close()
}

/** Stores the time of the backup, which the Admin's first steps show. The backup of a read-only replica is complete without it. */
async function recordBackup(pool: pg.Pool, log: (message: string) => void): Promise<void> {
  try {
    await pool.query(
      'insert into last_backup default values on conflict (is_only) do update set finished_at = excluded.finished_at',
    )
  } catch (error) {
    log(`The time of the backup was not stored: ${(error as Error).message}`)
  }
}
