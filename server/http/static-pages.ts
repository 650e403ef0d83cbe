import { createHash, hash } from 'node:crypto'
import { glob, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import PQueue from 'p-queue'
import { localeInCookies } from '#contract/locale-cookie.ts'
import {
  DEFAULT_LOCALE,
  knownLocale,
  type Locale,
  localePath,
  OFFERED_LOCALES,
  splitLocale,
} from '#contract/locales.ts'
import { BUILD_NAME, BUILD_ORIGIN, BUILD_REVISION, KEPT_PAGES, REVISION_HEADER } from '#contract/site.ts'
import { PAGE_TEXT_PLACEHOLDER, SITE_PAGES, type SitePageName } from '#contract/site-pages.ts'
import type { Config } from '#server/config.ts'
import { escapeHtml } from '#server/escape-html.ts'
import { serveBuiltFiles } from './built-files.ts'
import { acceptedEncoding, compress, compressBest, ENCODINGS, type Encoding } from './content-encoding.ts'
import { serveCrawlerFiles } from './crawler-files.ts'
import { securityHeaders } from './headers.ts'
import { type ReadyResponse, readyResponse, sendReady } from './ready-response.ts'
import { Refusal } from './refusal.ts'
import { serveManifests } from './web-manifests.ts'

const [FALLBACK] = KEPT_PAGES
const KEPT: readonly string[] = KEPT_PAGES
const isKept = (path: string) => KEPT.includes(splitLocale(`/${path}`).path)

/**
 * Serves the built web app: assets for a year, pages revalidated each time, each with a content policy that lists the
 * hashes of its inline scripts. Pages of the operator's texts get the current text. Unknown API paths return JSON, unknown
 * pages the app in the language of the path, which shows the right screen.
 */
export async function serveWeb(
  app: FastifyInstance,
  config: Config,
  renderText: (page: SitePageName, locale: Locale) => Promise<string>,
): Promise<void> {
  const { webDir } = config
  const pages = await readPages(config)
  const policies = new Map([...pages].map(([path, html]) => [path, contentPolicy(html, config)]))
  const { ofPublic } = securityHeaders(config)
  const keptPages = [...pages.keys()].filter(isKept).sort()
  const revision = hash(
    'sha1',
    JSON.stringify([ofPublic, ...keptPages.map((path) => [pages.get(path), policies.get(path)])]),
    'hex',
  )
  const headersOf = (path: string) => ({
    ...ofPublic,
    'content-security-policy': policies.get(path) ?? '',
    ...(isKept(path) && { [REVISION_HEADER]: revision }),
  })
  const ready = new Map(
    await Promise.all(
      [...pages].map(async ([path, html]) => [path, await readyPage(html, headersOf(path))] as const),
    ),
  )
  const fallbackOf = (locale: Locale) => ready.get(localePath(locale, FALLBACK).slice(1))
  for (const url of ['/api', '/api/*'])
    app.all(url, () => {
      throw new Refusal('not_found')
    })

  if (pages.size > 0) {
    for (const [path, page] of ready) {
      const { locale, path: inLocale } = splitLocale(`/${path}`)
      const text = SITE_PAGES.find((name) => inLocale === `/${name}/index.html`)
      const current =
        text && currentPage(pages.get(path) ?? '', headersOf(path), () => renderText(text, locale))
      for (const url of [...urlsOf(path), `/${path}`]) {
        if (current) {
          app.get(url, { config: { isPublic: true } }, async (request, reply) =>
            sendReady(request, reply, (await current()).respond(request)),
          )
          continue
        }
        // The home page of a visitor who has chosen a language is the one in it; all other URLs name their language.
        const redirectOf = (request: FastifyRequest) => (url === '/' ? chosenHome(request) : undefined)
        const respond = (request: FastifyRequest) =>
          redirectOf(request) === undefined ? page.respond(request) : undefined
        app.get(url, { config: { isPublic: true, readyResponse: respond } }, (request, reply) => {
          const home = redirectOf(request)
          return home === undefined
            ? sendReady(request, reply, page.respond(request))
            : reply.header('cache-control', 'no-store').redirect(home)
        })
      }
    }
    serveCrawlerFiles(
      app,
      config,
      [...pages.keys()]
        .flatMap((path) => urlsOf(path).slice(0, 1))
        .filter((url) => OFFERED_LOCALES.includes(splitLocale(url).locale) && !isDashboard(url)),
    )
    await serveManifests(app, config)
    await serveServiceWorkers(app, webDir, ofPublic, revision)
    await serveBuiltFiles(app, config)
  }

  app.setNotFoundHandler((request, reply) => {
    const { locale, path } = splitLocale(request.url.split('?', 1)[0] ?? '')
    const fallback = fallbackOf(locale) ?? fallbackOf(DEFAULT_LOCALE)
    const isPage = (request.method === 'GET' || request.method === 'HEAD') && !/\.\w+$/.test(path)
    if (fallback === undefined || !isPage) return reply.status(404).type('text/plain').send('Not found')
    return sendReady(request, reply, fallback.respond(request), isScreen(path) ? 200 : 404)
  })
}

/**
 * Returns the pages of the build by their path in it (`index.html`), with the name of this marketplace and the origin of
 * this server in their URLs. They are few and small, and stay in memory.
 */
async function readPages({ webDir, publicUrl, name }: Config): Promise<Map<string, string>> {
  const pages = new Map<string, string>()
  for await (const path of glob('**/*.html', { cwd: webDir })) {
    const html = await readFile(join(webDir, path), 'utf8')
    pages.set(
      path,
      html.replaceAll(BUILD_ORIGIN, publicUrl).replaceAll(BUILD_NAME, () => escapeHtml(name)),
    )
  }
  return pages
}

/** A page or script in every encoding, and the function that picks the best one that a browser accepts. */
type ReadyPage = { respond: (request: FastifyRequest) => ReadyResponse }

/** Pages are compressed better one after the other, so that this keeps one core busy at most. */
const compressions = new PQueue({ concurrency: 1 })

/** Serves the service worker of each language, with the revision of the pages that browsers keep. */
async function serveServiceWorkers(
  app: FastifyInstance,
  webDir: string,
  headers: Record<string, string>,
  revision: string,
): Promise<void> {
  for await (const path of glob('**/service-worker.js', { cwd: webDir })) {
    const script = (await readFile(join(webDir, path), 'utf8')).replaceAll(BUILD_REVISION, revision)
    const { respond } = await readyPage(script, headers, 'text/javascript')
    app.get(`/${path}`, { config: { isPublic: true, readyResponse: respond } }, (request, reply) =>
      sendReady(request, reply, respond(request)),
    )
  }
}

/**
 * Compresses a page or script quickly. Its first request in an encoding starts a better compression, which takes up to half a second:
 * all pages together take seconds of processor time, which a start does not spend on pages that nobody requests.
 */
async function readyPage(
  text: string,
  headers: Record<string, string>,
  type = 'text/html',
): Promise<ReadyPage> {
  const plain = Buffer.from(text)
  const name = hash('sha1', plain, 'base64url')
  const variantOf = (body: Buffer, encoding?: Encoding) => {
    const etag = `"${name}${encoding === undefined ? '' : `-${encoding}`}"`
    return readyResponse(
      etag,
      { ...headers, etag, vary: 'accept-encoding', 'cache-control': 'no-cache' },
      {
        'content-type': `${type}; charset=utf-8`,
        ...(encoding !== undefined && { 'content-encoding': encoding }),
      },
      body,
    )
  }
  const plainVariant = variantOf(plain)
  const variants = new Map<Encoding, ReadyResponse>()
  for (const encoding of ENCODINGS)
    variants.set(encoding, variantOf(await compress(plain, encoding), encoding))
  const requested = new Set<Encoding>()
  const improve = async (encoding: Encoding) => {
    variants.set(encoding, variantOf(await compressBest(plain, encoding), encoding))
  }
  return {
    respond(request) {
      const encoding = acceptedEncoding(request)
      if (encoding === undefined) return plainVariant
      if (!requested.has(encoding)) {
        requested.add(encoding)
        void compressions.add(() => improve(encoding))
      }
      return variants.get(encoding) ?? plainVariant
    },
  }
}

/** Returns the function that returns a page with its current text; it is made again when the text has changed. */
function currentPage(
  built: string,
  headers: Record<string, string>,
  renderText: () => Promise<string>,
): () => Promise<ReadyPage> {
  let last: { text: string; page: ReadyPage } | undefined
  return async () => {
    // Without the database the last text is served, or the page that fetches its text and says why it cannot.
    const text = await renderText().catch(() => last?.text ?? PAGE_TEXT_PLACEHOLDER)
    if (text !== last?.text)
      last = {
        text,
        page: await readyPage(
          built.replace(PAGE_TEXT_PLACEHOLDER, () => text),
          headers,
        ),
      }
    return last.page
  }
}

/**
 * Returns the path of the home page in the language that the visitor has chosen; undefined for the default, and for a link on
 * our own pages: it leads to the language it names, and a browser may follow it before it has stored the cookie of the choice.
 */
function chosenHome({ headers, host, url }: FastifyRequest): string | undefined {
  // Not Sec-Fetch-Site: the service worker's requests are all of the same origin.
  if (headers.referer !== undefined && URL.parse(headers.referer)?.host === host) return undefined
  const chosen = knownLocale(localeInCookies(headers.cookie ?? '') ?? '')
  return chosen === DEFAULT_LOCALE ? undefined : localePath(chosen, '/') + url.slice(1)
}

/** Returns the URLs of a file: `login/index.html` is the page at /login, with and without a trailing slash. */
function urlsOf(path: string): string[] {
  if (path === 'index.html') return ['/']
  const [, folder] = /^(.+)\/index\.html$/.exec(path) ?? []
  return folder === undefined ? [] : [`/${folder}`, `/${folder}/`]
}

/** Returns whether a path is one of the dashboard, which is for signed-in users only. */
function isDashboard(path: string): boolean {
  return splitLocale(path).path.startsWith('/dashboard')
}

/** Returns whether a path is a screen that is not prerendered. Every other path without a file is a page that does not exist. */
function isScreen(path: string): boolean {
  return /^\/(dashboard(\/.*)?|login|sign-up|all-worker|all-task|users\/[^/]+|setup|reset|verify|register)\/?$/.test(
    path,
  )
}

/** The sources of Stripe's script and frames, as its security guide lists them; it moves frames to subdomains. */
const STRIPE_SCRIPTS = 'https://js.stripe.com https://*.js.stripe.com'

function contentPolicy(html: string, { images }: Config): string {
  const bucket = images.kind === 'bucket' && images.publicUrl ? ` ${new URL(images.publicUrl).origin}` : ''
  return [
    "default-src 'self'",
    `script-src 'self' ${inlineScriptHashes(html).join(' ')} ${STRIPE_SCRIPTS}`,
    "style-src 'self' 'unsafe-inline'",
    `img-src 'self' data: blob:${bucket}`,
    "font-src 'self'",
    "connect-src 'self' https://api.stripe.com",
    `frame-src ${STRIPE_SCRIPTS} https://hooks.stripe.com https://www.openstreetmap.org`,
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ')
}

function inlineScriptHashes(page: string): string[] {
  const hashes = new Set<string>()
  for (const [, attributes = '', script = ''] of page.matchAll(/<script([^>]*)>([\s\S]*?)<\/script>/g)) {
    if (!/\ssrc=/.test(attributes) && script !== '')
      hashes.add(`'sha256-${createHash('sha256').update(script).digest('base64')}'`)
  }
  return [...hashes]
}
