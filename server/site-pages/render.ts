import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import MarkdownIt from 'markdown-it'
import { fillIn, type SitePageName } from '#contract/site-pages.ts'
import type { Config } from '#server/config.ts'
import type { Db } from '#server/database/database.ts'
import { pageVersions } from './queries.ts'
import { readPageValues } from './values.ts'

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

export function defaultText(page: SitePageName): string {
  return readFileSync(join(import.meta.dirname, 'defaults', `${page}.txt`), 'utf8').trim()
}

/** Returns the HTML of a text with the values in force. */
export async function renderText(db: Db, config: Config, text: string): Promise<string> {
  return markdown.render(fillIn(text, await readPageValues(db, config)))
}

/** Returns the HTML of a page as it is now, with the day of its last change. */
export async function renderPage(db: Db, config: Config, page: SitePageName): Promise<string> {
  const [latest] = await pageVersions(db, page, 1)
  if (latest === undefined) return renderText(db, config, defaultText(page))
  const day = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: config.timeZone })
  const changed = `<p class="page-date">Last changed on ${day.format(new Date(latest.changed_at))}</p>\n`
  return changed + (await renderText(db, config, latest.text))
}
