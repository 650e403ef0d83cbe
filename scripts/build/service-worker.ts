import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { build } from 'rolldown'
import { type Locale, localePath } from '#contract/locales.ts'
import type { Route } from '#web/lib/prefetch.ts'
import type { Screen } from '#web/service-worker/screens.ts'

type Routes = Record<string, Route>

/** The page that starts the app, and the one of screens that are not on the device. */
const SHELL = '/__spa-fallback.html'
const OFFLINE_PAGE = '/offline.html'
/** The layout that every screen of the dashboard needs. */
const LAYOUT = 'routes/dashboard/layout'

/**
 * Builds the service worker of a language into the folder of the web app. It keeps the shell: the fallback page with its scripts, the
 * styles, the font and the layout of the dashboard. All other files are kept when they have been loaded once.
 */
export async function buildServiceWorker(client: string, locale: Locale, routes: Routes): Promise<void> {
  const pageUrls = [SHELL, OFFLINE_PAGE].map((page) => localePath(locale, page))
  const pages = await Promise.all(pageUrls.map((url) => readFile(join(client, url), 'utf8')))
  const shell = new Set([
    ...pages.flatMap((html) => [...html.matchAll(/["'=](\/assets\/[\w.-]+)/g)].map(([, url]) => url ?? '')),
    ...filesOf(routes, LAYOUT),
  ])
  const precache = [
    ...pageUrls.map((url, index) => ({ url, revision: hashOf(pages[index] ?? '') })),
    ...[...shell].map((url) => ({ url, revision: null })),
  ]
  await build({
    input: 'web/service-worker/service-worker.ts',
    transform: {
      define: {
        'process.env.NODE_ENV': '"production"',
        __PRECACHE__: JSON.stringify(precache),
        __SCREENS__: JSON.stringify(screensOf(locale, routes, shell)),
        __SHELL__: JSON.stringify(pageUrls[0]),
        __OFFLINE_PAGE__: JSON.stringify(pageUrls[1]),
      },
    },
    output: { file: join(client, localePath(locale, '/service-worker.js')), format: 'iife', minify: true },
    logLevel: 'warn',
  })
}

function screensOf(locale: Locale, routes: Routes, shell: ReadonlySet<string>): Screen[] {
  return Object.entries(routes)
    .filter(([, { path, index }]) => index || (path && !path.endsWith('*')))
    .map(([id, { path = '' }]) => ({
      paths: `^${localePath(locale, `/${path}`).replace(/:\w+/g, '[^/]+')}/?$`,
      files: filesOf(routes, id).filter((file) => !shell.has(file)),
    }))
}

/** Returns the files of a route and of the layouts around it. */
function filesOf(routes: Routes, id: string): string[] {
  const files: string[] = []
  for (let route = routes[id]; route; route = routes[route.parentId ?? ''])
    files.push(route.module, ...(route.imports ?? []), ...(route.css ?? []))
  return [...new Set(files.map((file) => file.replace(/#$/, '')))]
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 12)
}
