import { type Locale, localePath } from '#contract/locales.ts'
import type { SitePageName } from '#contract/site-pages.ts'
import { type Db, PIPELINED, query } from '#server/database/database.ts'
import { sqlFunction } from '#server/database/sql-function.ts'

export type SitePageVersionRow = {
  version: number
  text: string
  reason: string
  changed_by: string
  changed_by_name: string
  changed_at: string
}

const readVersions = query<SitePageVersionRow, [page: string, limit: number]>(
  'site_page_versions',
  `select version, text, reason, changed_by, users.name as changed_by_name, changed_at
     from site_page_versions join users on users.id = changed_by
    where page = $1 order by version desc limit $2`,
  PIPELINED,
)

/** Returns the path under which a page's text is stored: `terms` in English, `bn/terms` in Bangla. */
const pathOf = (page: SitePageName, locale: Locale) => localePath(locale, `/${page}`).slice(1)

/** Returns the latest versions of a page's text in a language, newest first. */
export function pageVersions(
  db: Db,
  page: SitePageName,
  locale: Locale,
  limit: number,
): Promise<SitePageVersionRow[]> {
  return readVersions(db, pathOf(page, locale), limit)
}

export async function latestVersion(
  db: Db,
  page: SitePageName,
  locale: Locale,
): Promise<SitePageVersionRow | undefined> {
  const [latest] = await pageVersions(db, page, locale, 1)
  return latest
}

type Change = { page: string; admin: string; version: number; text: string; reason: string }

const callChange = sqlFunction<Change>('change_site_page', ['page', 'admin', 'version', 'text', 'reason'])

/** Throws Refusal `state_conflict` when the text was changed after this version. */
export function changePage(
  db: Db,
  { page, locale, ...change }: Omit<Change, 'page'> & { page: SitePageName; locale: Locale },
) {
  return callChange(db, { ...change, page: pathOf(page, locale) })
}
