import { query } from '#server/database/database.ts'

type ArchiveRow = { archived_at: string; is_failing: boolean }

/**
 * Returns when the database last archived WAL, or when it started if it has not yet, and whether it fails to; no row when it archives
 * none. An attempt that hangs does not fail.
 */
export const walArchive = query<ArchiveRow, []>(
  'wal_archive_state',
  `select coalesce(last_archived_time, pg_postmaster_start_time()) as archived_at,
          coalesce(last_failed_time > coalesce(last_archived_time, '-infinity'), false) as is_failing
     from pg_stat_archiver where current_setting('archive_mode') <> 'off'`,
)
