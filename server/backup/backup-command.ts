import { resolve } from 'node:path'
import type pg from 'pg'
import { BadConfig } from '#server/bad-config.ts'
import { readConfig } from '#server/config.ts'
import { connect, connectToOwnSchema } from '#server/database/connect.ts'
import { audit } from '#server/ledger/audit.ts'
import { runCommand } from '#server/run-command.ts'
import { backup } from './backup.ts'
import { restore } from './restore.ts'

const log = (message: string) => console.log(message)

/**
 * `npm run backup -- FOLDER` backs up the configured installation, which may be running. `npm run restore -- FOLDER`
 * restores into the configured empty installation, audits its ledger and compares the ledger's totals with the backup's.
 */
const [command, path = ''] = process.argv.slice(2)
if ((command !== 'backup' && command !== 'restore') || path === '') {
  console.error('Usage: npm run backup -- FOLDER, or npm run restore -- FOLDER')
  process.exit(2)
}
await runCommand(() => (command === 'backup' ? runBackup(resolve(path)) : runRestore(resolve(path))))

async function runBackup(folder: string): Promise<void> {
  const config = readConfig()
  const { maintenance, close } = await connectToOwnSchema(config, log)
  try {
    const { tables } = await backup(maintenance, config.dataDir, folder, log)
    await recordBackup(maintenance)
    const rows = tables.reduce((sum, table) => sum + table.rows, 0)
    log(`Backed up ${tables.length} tables, ${rows} rows, to ${folder}`)
  } finally {
    await close()
  }
}

async function runRestore(folder: string): Promise<void> {
  const config = readConfig()
  const { database, maintenance, close } = await connect(config, log)
  try {
    const manifest = await restore(maintenance, config.dataDir, folder, log)
    const { balanced, figures: totals } = await audit(database)
    const differing = Object.entries(manifest.figures).filter(([name, coins]) => totals[name] !== coins)
    if (!balanced || differing.length > 0)
      throw new BadConfig(`The restored ledger differs from the backup: ${JSON.stringify(differing)}`)
    log(`Restored from ${folder}: the books balance and match the totals of the backup.`)
  } finally {
    await close()
  }
}

/** Stores the time of the backup, which the Admin's first steps show. The backup of a read-only replica is complete without it. */
async function recordBackup(pool: pg.Pool): Promise<void> {
  try {
    await pool.query(
      'insert into last_backup default values on conflict (is_only) do update set finished_at = excluded.finished_at',
    )
  } catch (error) {
    log(`The time of the backup was not stored: ${(error as Error).message}`)
  }
}
