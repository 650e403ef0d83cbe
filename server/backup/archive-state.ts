import { query } from '#server/database/database.ts'

type ArchiveRow = { last_archived_time: string | null; is_failing: boolean }

/** Returns when the database last archived WAL and whether it fails to; no row when it archives none. */
export const walArchive = query<ArchiveRow, []>(
  'wal_archive_state',
  `select last_archived_time, coalesce(last_failed_time > coalesce(last_archived_time, '-infinity'), false) as is_failing
     from pg_stat_archiver where current_setting('archive_mode') <> 'off'`,
)
