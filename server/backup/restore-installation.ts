import type { Config } from '#server/config.ts'
import { connectToEmpty } from '#server/database/connect.ts'
import { requireSameTotals } from './rehearse-restore.ts'
import { requireOwnBackup, restore } from './restore.ts'
import { restoredPayouts } from './restored-payouts.ts'

/**
 * Restores a backup into the configured empty installation, audits its ledger, compares the ledger's totals with the backup's, and
 * logs what may have been paid since the backup.
 * @throws BadConfig for an installation that is not empty, and for a backup of another version or with a damaged file.
 */
export async function restoreInstallation(
  config: Config,
  folder: string,
  log: (message: string) => void,
): Promise<void> {
  // Before the database is upgraded: another version could not restore into it any more.
  await requireOwnBackup(folder)
  const { database, maintenance, close } = await connectToEmpty(config, log)
  try {
    const manifest = await restore(maintenance, config, folder, log)
    await requireSameTotals(database, manifest)
    log(`Restored from ${folder}: the books balance and match the totals of the backup.`)
    log(await restoredPayouts(database, manifest))
  } finally {
    await close()
  }
}
