import { createHash, hash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { glob, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Config } from '#server/config.ts'
import { acceptedEncoding, ENCODINGS, type Encoding } from './content-encoding.ts'
import { securityHeaders } from './headers.ts'
import { type ReadyResponse, readyResponse, sendReady } from './ready-response.ts'
import { Refusal } from './refusal.ts'

const FALLBACK = '__spa-fallback.html'
const SUFFIXES = { br: '.br', gzip: '.gz' } as const

/** An HTML page of the built web app, plain and in each encoding that the build made. */
type Page = { plain: Buffer; compressed: Map<Encoding, Buffer> }

/**
 * Serves the built web app: assets for a year, pages revalidated each time, each with a content policy that lists the
 * hashes of the inline scripts. Unknown API paths return JSON, unknown pages the app, which shows the right screen.
 */
export async function serveWeb(app: FastifyInstance, config: Config): Promise<void> {
  const { webDir } = config
  const pages = await readPages(webDir)
  const policy = contentPolicy(inlineScriptHashes(pages.values()), config)
  const headers = { ...securityHeaders(config).ofPublic, 'content-security-policy': policy }
  const fallbackPage = pages.get(FALLBACK)
  const fallback = fallbackPage && readyPage(fallbackPage, headers)

  for (const url of ['/api', '/api/*'])
    app.all(url, () => {
      throw new Refusal('not_found')
    })

  if (pages.size > 0) {
    for (const [path, page] of pages) {
      const ready = readyPage(page, headers)
      for (const url of urlsOf(path))
        app.get(url, { config: { isPublic: true, readyResponse: ready } }, (request, reply) =>
          sendReady(request, reply, ready(request)),
        )
    }
    await app.register(async (scope) => {
      scope.addHook('onRoute', (route) => {
        route.config = { ...route.config, isPublic: true }
      })
      await scope.register(fastifyStatic, {
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
    })
  }

  app.setNotFoundHandler((request, reply) => {
    const path = request.url.split('?', 1)[0] ?? ''
    const isPage = (request.method === 'GET' || request.method === 'HEAD') && !/\.\w+$/.test(path)
    if (fallback === undefined || !isPage) return reply.status(404).type('text/plain').send('Not found')
    return sendReady(request, reply, fallback(request), isScreen(path) ? 200 : 404)
  })
}

/** Returns the pages of the build by their path in it (`index.html`). They are few and small, and stay in memory. */
async function readPages(webDir: string): Promise<Map<string, Page>> {
  const pages = new Map<string, Page>()
  for await (const path of glob('**/*.html', { cwd: webDir })) {
    const file = join(webDir, path)
    const compressed = new Map<Encoding, Buffer>()
    for (const encoding of ENCODINGS) {
      const packed = file + SUFFIXES[encoding]
      if (existsSync(packed)) compressed.set(encoding, await readFile(packed))
    }
    pages.set(path, { plain: await readFile(file), compressed })
  }
  return pages
}

/** Returns the function that returns a page in the best encoding that the browser accepts. */
function readyPage(
  { plain, compressed }: Page,
  headers: Record<string, string>,
): (request: FastifyRequest) => ReadyResponse {
  const name = hash('sha1', plain, 'base64url')
  const variantOf = (body: Buffer, encoding?: Encoding) => {
    const etag = `"${name}${encoding === undefined ? '' : `-${encoding}`}"`
    return readyResponse(
      etag,
      { ...headers, etag, vary: 'accept-encoding', 'cache-control': 'no-cache' },
      {
        'content-type': 'text/html; charset=utf-8',
        ...(encoding !== undefined && { 'content-encoding': encoding }),
      },
      body,
    )
  }
  const plainVariant = variantOf(plain)
  const encodings = [...compressed.keys()]
  const variants = new Map([...compressed].map(([encoding, body]) => [encoding, variantOf(body, encoding)]))
  return (request) => {
    const encoding = acceptedEncoding(request, encodings)
    return (encoding && variants.get(encoding)) ?? plainVariant
  }
}

/** `login/index.html` is the page at /login, with and without a trailing slash. */
function urlsOf(path: string): string[] {
  if (path === 'index.html') return ['/']
  const [, folder] = /^(.+)\/index\.html$/.exec(path) ?? []
  return folder === undefined ? [] : [`/${folder}`, `/${folder}/`]
}

/** Screens that are not prerendered; every other path without a file is a page that does not exist. */
function isScreen(path: string): boolean {
  return /^\/(dashboard(\/.*)?|login|sign-up|all-worker|all-task|users\/[^/]+|setup|reset|verify|register)\/?$/.test(
    path,
  )
}

/** The sources of Stripe's script and frames, as its security guide lists them; it moves frames to subdomains. */
const STRIPE_SCRIPTS = 'https://js.stripe.com https://*.js.stripe.com'

function contentPolicy(scriptHashes: readonly string[], { images }: Config): string {
  const bucket = images.kind === 'bucket' && images.publicUrl ? ` ${new URL(images.publicUrl).origin}` : ''
  return [
    "default-src 'self'",
    `script-src 'self' ${scriptHashes.join(' ')} ${STRIPE_SCRIPTS}`,
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

function inlineScriptHashes(pages: Iterable<Page>): string[] {
  const hashes = new Set<string>()
  for (const { plain } of pages) {
    for (const [, attributes = '', script = ''] of plain
      .toString()
      .matchAll(/<script([^>]*)>([\s\S]*?)<\/script>/g)) {
      if (!/\ssrc=/.test(attributes) && script !== '') {
        hashes.add(`'sha256-${createHash('sha256').update(script).digest('base64')}'`)
      }
    }
  }
  return [...hashes]
}
