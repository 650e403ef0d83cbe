import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import MarkdownIt from 'markdown-it'
import { DEFAULT_LOCALE, type Locale, localePath } from '#contract/locales.ts'
import { fillIn, type SitePageName } from '#contract/site-pages.ts'
import type { Config } from '#server/config.ts'
import type { Db } from '#server/database/database.ts'
import { latestVersion, type SitePageVersionRow } from './queries.ts'
import { readPageValues } from './values.ts'

type Env = { locale: Locale }

/** Only what the pages need. HTML in a text is escaped, and links to other schemes than http, https and mailto are text. */
const markdown = new MarkdownIt('zero', { html: false }).enable([
  'heading',
  'list',
  'table',
  'emphasis',
  'link',
  'escape',
  'entity',
  'newline',
])
markdown.validateLink = (url) => /^(https?:|mailto:|\/(?!\/)|#)/i.test(url)
markdown.renderer.rules.table_open = () => '<div class="page-table" tabindex="0"><table>'
markdown.renderer.rules.table_close = () => '</table></div>'

/** Links to pages of this site stay in the language of the page. */
markdown.renderer.rules.link_open = (tokens, index, options, env, renderer) => {
  const token = tokens[index]
  const href = String(token?.attrGet('href'))
  if (/^\/(?!api\/)/.test(href)) token?.attrSet('href', localePath((env as Env).locale, href))
  return renderer.renderToken(tokens, index, options)
}

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
