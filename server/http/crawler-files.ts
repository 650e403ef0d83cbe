import type { FastifyInstance } from 'fastify'
import { DEFAULT_LOCALE, LOCALES, localePath, OFFERED_LOCALES, splitLocale } from '#contract/locales.ts'
import type { Config } from '#server/config.ts'

const DISALLOWED_PAGES = ['/setup', '/reset', '/verify']

/**
 * Serves `/robots.txt` and `/sitemap.xml`, which lists the given paths under the URL of this server, each with the same page
 * in the other languages.
 */
export function serveCrawlerFiles(
  app: FastifyInstance,
  { publicUrl }: Config,
  paths: readonly string[],
): void {
  const robots = [
    'User-agent: *',
    'Disallow: /api',
    ...disallowedPages().map((path) => `Disallow: ${path}`),
    `Sitemap: ${publicUrl}/sitemap.xml`,
    '',
  ].join('\n')
  const urls = paths
    .toSorted()
    .map((path) => `<url><loc>${publicUrl}${path}</loc>${alternatesOf(publicUrl, path)}</url>`)
  const sitemap = `<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:xhtml="http://www.w3.org/1999/xhtml">
${urls.join('\n')}
</urlset>
`
  app.get('/robots.txt', (_request, reply) =>
    reply.header('cache-control', 'no-cache').type('text/plain; charset=utf-8').send(robots),
  )
  app.get('/sitemap.xml', (_request, reply) =>
    reply.header('cache-control', 'no-cache').type('application/xml; charset=utf-8').send(sitemap),
  )
}

/** Returns the links to a page in every language, as search engines want them with each of these pages. */
function alternatesOf(publicUrl: string, path: string): string {
  const { path: inLocale } = splitLocale(path)
  const linkTo = (language: string, href: string) =>
    `<xhtml:link rel="alternate" hreflang="${language}" href="${publicUrl}${href}"/>`
  const links = OFFERED_LOCALES.map((locale) => linkTo(locale, localePath(locale, inLocale)))
  return [...links, linkTo('x-default', localePath(DEFAULT_LOCALE, inLocale))].join('')
}

function disallowedPages(): string[] {
  return LOCALES.flatMap((locale) =>
    OFFERED_LOCALES.includes(locale)
      ? DISALLOWED_PAGES.map((path) => localePath(locale, path))
      : [localePath(locale, '/')],
  )
}
