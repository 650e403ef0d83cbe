import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { build } from 'rolldown'
import type { Route } from '#web/lib/prefetch.ts'
import type { Screen } from '#web/service-worker/screens.ts'

type Routes = Record<string, Route>

/** Pages that the service worker keeps besides the files that they need. */
const PAGES = ['__spa-fallback.html', 'offline.html']
/** The layout that every screen of the dashboard needs. */
const LAYOUT = 'routes/dashboard/layout'

/**
 * Builds the service worker into the folder of the web app. It keeps the shell: the fallback page with its scripts, the
 * styles, the font and the layout of the dashboard. All other files are kept when they have been loaded once.
 */
export async function buildServiceWorker(client: string, routes: Routes): Promise<void> {
  const pages = await Promise.all(PAGES.map((page) => readFile(join(client, page), 'utf8')))
  const shell = new Set([
    ...pages.flatMap((html) => [...html.matchAll(/["'=](\/assets\/[\w.-]+)/g)].map(([, url]) => url ?? '')),
    ...filesOf(routes, LAYOUT),
  ])
  const precache = [
    ...PAGES.map((page, index) => ({ url: `/${page}`, revision: hashOf(pages[index] ?? '') })),
    ...[...shell].map((url) => ({ url, revision: null })),
  ]
  await build({
    input: 'web/service-worker/service-worker.ts',
    transform: {
      define: {
        'process.env.NODE_ENV': '"production"',
        __PRECACHE__: JSON.stringify(precache),
        __SCREENS__: JSON.stringify(screensOf(routes, shell)),
      },
    },
    output: { file: join(client, 'service-worker.js'), format: 'iife', minify: true },
    logLevel: 'warn',
  })
}

function screensOf(routes: Routes, shell: ReadonlySet<string>): Screen[] {
  return Object.entries(routes)
    .filter(([, { path, index }]) => index || (path && !path.endsWith('*')))
    .map(([id, { path = '' }]) => ({
      paths: `^/${path.replace(/:\w+/g, '[^/]+')}/?$`,
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
