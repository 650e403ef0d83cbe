import MarkdownIt from 'markdown-it'
import { type Locale, localePath } from '#contract/locales.ts'

/** `locale` is the language of the page. */
export type Env = { locale: Locale }

/** Only what the pages need. HTML in a text is escaped, and links to other schemes than http, https and mailto are text. */
export const markdown = new MarkdownIt('zero', { html: false }).enable([
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
