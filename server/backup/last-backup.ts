import { query } from '#server/database/database.ts'

type LastBackupRow = { finished_at: string; rehearsed_at: string | null }

/** Returns when a backup was last made, and when one last proved that it can be restored. */
export const lastBackup = query<LastBackupRow, []>(
  'last_backup_times',
  'select finished_at, rehearsed_at from last_backup',
)
