import type pg from 'pg'
import { query } from '#server/database/database.ts'

type LastBackupRow = { finished_at: string; rehearsed_at: string | null }

/** Returns when a backup was last made, and when one last proved that it can be restored. */
export const lastBackup = query<LastBackupRow, []>(
  'last_backup_times',
  'select finished_at, rehearsed_at from last_backup',
)

/** Stores the time of the backup, which the Admin's first steps show. The backup of a read-only replica is complete without it. */
export async function recordBackup(pool: pg.Pool, log: (message: string) => void): Promise<void> {
  try {
    await pool.query(
      'insert into last_backup default values on conflict (is_only) do update set finished_at = excluded.finished_at',
    )
  } catch (error) {
    log(`The time of the backup was not stored: ${(error as Error).message}`)
  }
}
