import { createHash } from 'node:crypto'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance } from 'fastify'
import type { Config } from '#server/config.ts'
import { atHand } from './at-hand.ts'
import { errorReply } from './errors.ts'
import { headersOf } from './headers.ts'
import { type Page, pageAtHand, readPages, sendPage } from './pages.ts'
import { Refusal } from './refusal.ts'

const FALLBACK = '__spa-fallback.html'

/**
 * Serves the built web app: assets for ever, pages afresh, each with a content policy that names the hashes of its own
 * inline scripts. Unknown API paths answer JSON; unknown pages answer the app, which shows the right screen.
 */
export async function serveWeb(app: FastifyInstance, config: Config): Promise<void> {
  const { webDir } = config
  const pages = await readPages(webDir)
  const fallback = pages.get(FALLBACK)
  const policy = contentPolicy(inlineScriptHashes(pages.values()))

  if (pages.size > 0) {
    for (const [path, page] of pages) {
      for (const url of addressesOf(path)) {
        atHand(app).set(
          url,
          pageAtHand(page, url, { ...headersOf(config, false), 'content-security-policy': policy }),
        )
        app.get(url, (request, reply) =>
          sendPage(request, reply.header('content-security-policy', policy), page, 200),
        )
      }
    }
    await app.register(fastifyStatic, {
      root: webDir,
      preCompressed: true,
      redirect: false,
      cacheControl: false,
      setHeaders(reply, path) {
        if (path.includes('/assets/')) reply.header('cache-control', 'public, max-age=31536000, immutable')
        else reply.header('cache-control', 'no-cache')
        if (/\.html(\.br|\.gz)?$/.test(path)) reply.header('content-security-policy', policy)
      },
    })
  }

  app.setNotFoundHandler((request, reply) => {
    const path = request.url.split('?', 1)[0] ?? ''
    if (path === '/api' || path.startsWith('/api/')) {
      return reply
        .status(404)
        .send(errorReply(new Refusal('not_found', 'There is nothing here under this address.')))
    }
    if (
      fallback === undefined ||
      (request.method !== 'GET' && request.method !== 'HEAD') ||
      /\.\w+$/.test(path)
    ) {
      return reply.status(404).type('text/plain').send('Not found')
    }
    return sendPage(
      request,
      reply.header('content-security-policy', policy),
      fallback,
      isScreen(path) ? 200 : 404,
    )
  })
}

/** `login/index.html` is the page at /login, with and without a slash behind it. */
function addressesOf(path: string): string[] {
  if (path === 'index.html') return ['/']
  const [, folder] = /^(.+)\/index\.html$/.exec(path) ?? []
  return folder === undefined ? [] : [`/${folder}`, `/${folder}/`]
}

/** Screens that are not prerendered; everything else under no file is a page that does not exist. */
function isScreen(path: string): boolean {
  return /^\/(dashboard(\/.*)?|login|sign-up|all-worker|all-task|setup|reset|verify|register)\/?$/.test(path)
}

function contentPolicy(scriptHashes: readonly string[]): string {
  return [
    "default-src 'self'",
    `script-src 'self' ${scriptHashes.join(' ')} https://js.stripe.com`,
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data: blob: https: http:",
    "font-src 'self'",
    "connect-src 'self' https://api.stripe.com",
    'frame-src https://js.stripe.com https://hooks.stripe.com https://www.openstreetmap.org',
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ')
}

function inlineScriptHashes(pages: Iterable<Page>): string[] {
  const hashes = new Set<string>()
  for (const { html } of pages) {
    for (const [, attributes = '', script = ''] of html.matchAll(/<script([^>]*)>([\s\S]*?)<\/script>/g)) {
      if (!/\ssrc=/.test(attributes) && script !== '') {
        hashes.add(`'sha256-${createHash('sha256').update(script).digest('base64')}'`)
      }
    }
  }
  return [...hashes]
}
