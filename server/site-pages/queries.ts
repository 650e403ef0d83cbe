import type { SitePageName } from '#contract/site-pages.ts'
import { PIPELINED, query } from '#server/database/database.ts'
import { sqlFunction } from '#server/database/sql-function.ts'

export type SitePageVersionRow = {
  version: number
  text: string
  reason: string
  changed_by: string
  changed_by_name: string
  changed_at: string
}

/** Returns the latest versions of a page's text, newest first. */
export const pageVersions = query<SitePageVersionRow, [page: SitePageName, limit: number]>(
  'site_page_versions',
  `select version, text, reason, changed_by, users.name as changed_by_name, changed_at
     from site_page_versions join users on users.id = changed_by
    where page = $1 order by version desc limit $2`,
  PIPELINED,
)

type Change = { page: SitePageName; admin: string; version: number; text: string; reason: string }

/** Throws Refusal `state_conflict` when the text was changed after this version. */
export const changePage = sqlFunction<Change>('change_site_page', [
  'page',
  'admin',
  'version',
  'text',
  'reason',
])
