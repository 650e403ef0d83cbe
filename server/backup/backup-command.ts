import { resolve } from 'node:path'
import { readConfig } from '#server/config.ts'
import { connectToOwnSchema } from '#server/database/connect.ts'
import { runCommand } from '#server/run-command.ts'
import { backup } from './backup.ts'
import { recordBackup } from './last-backup.ts'
import type { Manifest } from './manifest.ts'
import { restoreInstallation } from './restore-installation.ts'
import { backUpOnSchedule } from './scheduled-backup.ts'

const log = (message: string) => console.log(message)

/**
 * `npm run backup -- FOLDER` backs up the configured installation, which may be running. `npm run restore -- FOLDER`
 * restores into the configured empty installation.
 * `npm run backup:scheduled -- FOLDER` makes a backup below the folder, rehearses its restore and deletes expired ones. With
 * WAL_ARCHIVE it does the same with base backups. `--accept-missing-pictures` after the folder accepts that pictures are lost.
 */
const COMMANDS = {
  backup: runBackup,
  restore: (folder: string) => restoreInstallation(readConfig(), folder, log),
  scheduled: runScheduled,
}
const ACCEPT = '--accept-missing-pictures'
const [command = '', path = '', ...flags] = process.argv.slice(2)
const run = Object.entries(COMMANDS).find(([name]) => name === command)?.[1]
const unknown = flags.filter((flag) => command !== 'scheduled' || flag !== ACCEPT)
if (run === undefined || path === '' || unknown.length > 0) {
  console.error(
    'Usage: npm run backup -- FOLDER, npm run backup:scheduled -- FOLDER [--accept-missing-pictures], or npm run restore -- FOLDER',
  )
  process.exit(2)
}
await runCommand(() => run(resolve(path)))

async function runBackup(folder: string): Promise<void> {
  const config = readConfig()
  const { maintenance, close } = await connectToOwnSchema(config, log)
  try {
    const manifest = await backup(maintenance, config, folder, log)
    await recordBackup(maintenance, log)
    logBackup(manifest, folder)
  } finally {
    await close()
  }
}

async function runScheduled(parent: string): Promise<void> {
  const config = readConfig()
  const { maintenance, close } = await connectToOwnSchema(config, log)
  try {
    const { folder, manifest } = await backUpOnSchedule(
      maintenance,
      config,
      parent,
      log,
      flags.includes(ACCEPT),
    )
    logBackup(manifest, folder)
  } finally {
    await close()
  }
}

function logBackup({ tables }: Manifest, folder: string): void {
  const rows = tables.reduce((sum, table) => sum + table.rows, 0)
  log(`Backed up ${tables.length} tables, ${rows} rows, to ${folder}`)
}
