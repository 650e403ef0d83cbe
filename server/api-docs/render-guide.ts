import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import MarkdownIt from 'markdown-it'
import { eventFields, eventTable } from './events.ts'

export const markdown = new MarkdownIt({ html: false })
markdown.renderer.rules.table_open = () => '<div class="scroll" tabindex="0"><table>'
markdown.renderer.rules.table_close = () => '</table></div>'
markdown.renderer.rules.fence = (tokens, index) =>
  `<pre tabindex="0"><code>${markdown.utils.escapeHtml(tokens[index]?.content ?? '')}</code></pre>`

/**
 * Returns the HTML of a guide. `{site}` stands for the name of the site and `{url}` for its URL, `{events}` for the types of events
 * and `{fields}` for their fields.
 */
export function renderGuide(slug: string, site: string, url: string): string {
  const text = readFileSync(join(import.meta.dirname, 'guides', `${slug}.md`), 'utf8')
  return markdown.render(
    text
      .replaceAll('{site}', site)
      .replaceAll('{url}', url)
      .replace('{events}', eventTable)
      .replace('{fields}', eventFields),
  )
}
