import { mkdir, readdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'
import { BadConfig } from '#server/bad-config.ts'
import type { Config } from '#server/config.ts'
import { backup, type Files, logMissingPictures } from './backup.ts'
import { deleteExpiredBases, makeBaseBackup } from './base-backup.ts'
import { BACKUP_NAME, backupName, expiredBackups } from './expired-backups.ts'
import { recordBackup } from './last-backup.ts'
import type { Manifest } from './manifest.ts'
import { rehearseRecovery } from './rehearse-recovery.ts'
import { rehearseRestore } from './rehearse-restore.ts'
import { readManifest } from './restore.ts'

/** One scheduled backup runs at a time. */
const LOCK = 7_461_075

/**
 * Makes a backup below `parent`, which gets its name when it has the pictures and has been restored on trial, and only then deletes
 * expired ones. What a killed run left unfinished is deleted first. Of the backups that were not restored, the newest is kept. With
 * WAL_ARCHIVE makes a base backup afterwards.
 * @param acceptMissing the pictures that are missing now are lost for good, and the next backups may lack as many.
 * @throws BadConfig while another run is at work, and when too many pictures are missing.
 */
export async function backUpOnSchedule(
  owner: pg.Pool,
  files: Files & Pick<Config, 'walArchive'>,
  parent: string,
  log: (message: string) => void,
  acceptMissing = false,
): Promise<{ folder: string; manifest: Manifest }> {
  // A connection of its own: the pool may have one, which is closed after the copy.
  const lock = new pg.Client({ connectionString: owner.options.connectionString ?? '' })
  lock.on('error', () => {}) // the database may stop meanwhile; the backup then fails
  await lock.connect()
  try {
    const { rows } = await lock.query<{ locked: boolean }>('select pg_try_advisory_lock($1) as locked', [
      LOCK,
    ])
    if (rows[0]?.locked !== true) throw new BadConfig('Another scheduled backup is running.')
    const made = await makeProvenBackup(owner, files, parent, log, acceptMissing)
    await recordBackup(owner, log)
    await owner.query('update last_backup set rehearsed_at = finished_at')
    if (files.walArchive !== undefined) await makeProvenBaseBackup(owner, files, log)
    return made
  } finally {
    await lock.end()
  }
}

async function makeProvenBackup(
  owner: pg.Pool,
  files: Files,
  parent: string,
  log: (message: string) => void,
  acceptMissing: boolean,
): Promise<{ folder: string; manifest: Manifest }> {
  const namesIn = async (pattern: RegExp) =>
    (await readdir(parent)).filter((name) => pattern.test(name)).sort()
  const deleteEach = async (names: string[]) => {
    for (const name of names) {
      await rm(join(parent, name), { recursive: true })
      log(`Deleted ${join(parent, name)}`)
    }
  }
  const deleteOlderUnproven = async () => deleteEach((await namesIn(/^\d.*Z\.unproven$/)).slice(0, -1))
  await mkdir(parent, { recursive: true, mode: 0o700 })
  // Not those of a backup that an operator makes in the same folder.
  await deleteEach(await namesIn(/^\d{4}-\d\d-\d\dT\d{6}Z(\.unproven)?\.partial$/))
  await deleteOlderUnproven()

  const folder = join(parent, backupName(new Date()))
  const unproven = `${folder}.unproven`
  const manifest = await backup(owner, files, unproven, () => {})
  logMissingPictures(manifest, log)
  try {
    if (!acceptMissing) requirePictures(manifest, await missingInNewest(parent))
    await rehearseRestore(owner, unproven, () => {})
  } catch (error) {
    log(`The backup is kept as ${unproven} and does not count.`)
    await deleteOlderUnproven()
    throw error
  }
  await rename(unproven, folder)
  log(`The backup ${folder} can be restored: the books balance and match its totals.`)
  await deleteEach(expiredBackups(await readdir(parent)))
  return { folder, manifest }
}

/** Returns how many pictures the newest proven backup lacks; none when its manifest cannot be read. */
async function missingInNewest(parent: string): Promise<number> {
  const newest = (await readdir(parent))
    .filter((name) => BACKUP_NAME.test(name))
    .toSorted()
    .at(-1)
  if (newest === undefined) return 0
  return readManifest(join(parent, newest)).then(
    ({ pictures }) => pictures.missing,
    () => 0,
  )
}

/**
 * @param accepted how many may be missing in any case.
 * @throws BadConfig when a backup lacks more, and more than 1 % of the pictures, rounded up: older backups have them and must not
 * expire.
 */
function requirePictures({ pictures: { total, missing } }: Manifest, accepted: number): void {
  if (missing > Math.max(accepted, Math.ceil(total / 100)))
    throw new BadConfig(
      'Too many pictures are missing. Restore their files from an older backup, or add --accept-missing-pictures once if they are lost.',
    )
}

/**
 * Makes a base backup in the archive of the embedded database, proves that the database can be recovered from it, and only
 * then deletes expired ones with their WAL.
 */
async function makeProvenBaseBackup(
  owner: pg.Pool,
  { dataDir }: Pick<Files, 'dataDir'>,
  log: (message: string) => void,
): Promise<void> {
  const base = await makeBaseBackup(owner, dataDir)
  await rehearseRecovery(owner, base.archive, dataDir)
  log(`The base backup ${base.folder} can be recovered with the archived WAL: the books balance.`)
  for (const folder of await deleteExpiredBases(base.archive)) log(`Deleted ${folder}`)
}
