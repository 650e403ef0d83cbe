import { query } from '#server/database/database.ts'

type ArchiveRow = { archived_at: string | null; is_failing: boolean }

/**
 * Returns when the database last archived WAL, or when it started if it has not yet, and whether it fails to; no row when it archives
 * none. An attempt that hangs does not fail. The time is null where a quiet database archives seldom: without an `archive_timeout` of at
 * most five minutes.
 */
export const walArchive = query<ArchiveRow, []>(
  'wal_archive_state',
  `select case when (select setting::int from pg_settings where name = 'archive_timeout') between 1 and 300
               then coalesce(last_archived_time, pg_postmaster_start_time()) end as archived_at,
          coalesce(last_failed_time > coalesce(last_archived_time, '-infinity'), false) as is_failing
     from pg_stat_archiver where current_setting('archive_mode') <> 'off'`,
)
