import { resolve } from 'node:path'
import { readConfig } from '#server/config.ts'
import { connect } from '#server/database/connect.ts'
import { audit } from '#server/ledger/audit.ts'
import { backup } from './backup.ts'
import { restore } from './restore.ts'

/**
 * `npm run backup -- FOLDER` backs up the running marketplace these settings name. `npm run restore -- FOLDER` fills the
 * empty one they name, audits it, and compares its figures with the backup's.
 */
const [what, given = ''] = process.argv.slice(2)
if ((what !== 'backup' && what !== 'restore') || given === '') {
  console.error('Usage: npm run backup -- FOLDER, or npm run restore -- FOLDER')
  process.exit(2)
}
const folder = resolve(given)
const config = readConfig()
const say = (line: string) => console.log(line)
const { database, maintenance, close } = await connect(config, say)
try {
  if (what === 'backup') {
    const { tables } = await backup(maintenance, config.dataDir, folder, say)
    say(
      `Backed up ${tables.length} tables, ${tables.reduce((sum, { rows }) => sum + rows, 0)} rows, to ${folder}`,
    )
  } else {
    const manifest = await restore(maintenance, config.dataDir, folder, say)
    const { balanced, figures } = await audit(database)
    const differing = Object.entries(manifest.figures).filter(([name, coins]) => figures[name] !== coins)
    if (!balanced || differing.length > 0)
      throw new Error(`The restored books do not agree: ${JSON.stringify(differing)}`)
    say(`Restored from ${folder}: the books balance and agree with the backup's figures.`)
  }
} catch (error) {
  console.error((error as Error).message)
  process.exitCode = 1
} finally {
  await close()
}
