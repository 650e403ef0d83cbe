import { readdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type pg from 'pg'
import { backup, type Files } from './backup.ts'
import { deleteExpiredBases, makeBaseBackup } from './base-backup.ts'
import { backupName, expiredBackups } from './expired-backups.ts'
import type { Manifest } from './manifest.ts'
import { rehearseRecovery } from './rehearse-recovery.ts'
import { rehearseRestore } from './rehearse-restore.ts'

/**
 * Makes a backup below `parent`, proves that it can be restored, and only then deletes expired ones. One run at a time:
 * what a killed run left unfinished is deleted.
 */
export async function backUpOnSchedule(
  owner: pg.Pool,
  files: Files,
  parent: string,
  log: (message: string) => void,
): Promise<{ folder: string; manifest: Manifest }> {
  const folder = join(parent, backupName(new Date()))
  const manifest = await backup(owner, files, folder, () => {})
  try {
    await rehearseRestore(owner, folder, () => {})
  } catch (error) {
    await rename(folder, `${folder}.unproven`)
    log(`The backup is kept as ${folder}.unproven and does not count.`)
    throw error
  }
  log(`The backup ${folder} can be restored: the books balance and match its totals.`)
  const names = await readdir(parent)
  for (const name of [...expiredBackups(names), ...names.filter((entry) => /^\d.*Z\.partial$/.test(entry))]) {
    await rm(join(parent, name), { recursive: true })
    log(`Deleted ${join(parent, name)}`)
  }
  return { folder, manifest }
}

/**
 * Makes a base backup in the archive of the embedded database, proves that the database can be recovered from it, and only
 * then deletes expired ones with their WAL.
 */
export async function backUpBaseOnSchedule(
  owner: pg.Pool,
  { dataDir }: Pick<Files, 'dataDir'>,
  log: (message: string) => void,
): Promise<void> {
  const base = await makeBaseBackup(owner, dataDir)
  await rehearseRecovery(owner, base.archive, dataDir)
  log(`The base backup ${base.folder} can be recovered with the archived WAL: the books balance.`)
  for (const folder of await deleteExpiredBases(base.archive)) log(`Deleted ${folder}`)
}
