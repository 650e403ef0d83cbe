import { readdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type pg from 'pg'
import { backup, type Files } from './backup.ts'
import { backupName, expiredBackups } from './expired-backups.ts'
import type { Manifest } from './manifest.ts'
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
