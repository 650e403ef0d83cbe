import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DEFAULT_LOCALE, type Locale } from '#contract/locales.ts'
import { fillIn, type SitePageName } from '#contract/site-pages.ts'
import type { Config } from '#server/config.ts'
import type { Db } from '#server/database/database.ts'
import type { Env } from './markdown.ts'
import { latestVersion, type SitePageVersionRow } from './queries.ts'
import { readPageValues } from './values.ts'

const LAST_CHANGED = { en: 'Last changed on', bn: 'সর্বশেষ পরিবর্তন:' }
const DATES = { en: 'en-GB', bn: 'bn-BD' }

/** Returns the text that a page has until its first change. */
export function defaultText(page: SitePageName, locale: Locale): string {
  return readFileSync(join(import.meta.dirname, 'defaults', `${page}.${locale}.txt`), 'utf8').trim()
}

/** Returns the HTML of a text with the values in force. Its links stay in the language of the page. */
export async function renderText(
  db: Db,
  config: Config,
  text: string,
  locale: Locale,
  pageLocale = locale,
): Promise<string> {
  const values = await readPageValues(db, config, locale)
  const { markdown } = await import('./markdown.ts') // loaded for the first page of text
  return markdown.render(fillIn(text, values), { locale: pageLocale } satisfies Env)
}

/**
 * Returns the HTML of a page as it is now, with the day of its last change. Where the operator has changed the English text
 * only, the page has that one, because the default text may say something else (docs/decisions/0091-pages-per-language.md).
 */
export async function renderPage(
  db: Db,
  config: Config,
  page: SitePageName,
  locale: Locale,
): Promise<string> {
  const own = await latestVersion(db, page, locale)
  if (own !== undefined) return renderVersion(db, config, own, locale, locale)
  const english = locale === DEFAULT_LOCALE ? undefined : await latestVersion(db, page, DEFAULT_LOCALE)
  if (english === undefined) return renderText(db, config, defaultText(page, locale), locale)
  const html = await renderVersion(db, config, english, DEFAULT_LOCALE, locale)
  return `<div class="page-text" lang="${DEFAULT_LOCALE}">${html}</div>\n`
}

async function renderVersion(
  db: Db,
  config: Config,
  { text, changed_at }: SitePageVersionRow,
  locale: Locale,
  pageLocale: Locale,
): Promise<string> {
  const day = new Intl.DateTimeFormat(DATES[locale], { dateStyle: 'long', timeZone: config.timeZone })
  const changed = `<p class="page-date">${LAST_CHANGED[locale]} ${day.format(new Date(changed_at))}</p>\n`
  return changed + (await renderText(db, config, text, locale, pageLocale))
}
