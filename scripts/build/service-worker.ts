import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { build } from 'rolldown'
import { type Locale, localePath } from '#contract/locales.ts'
import { BUILD_REVISION, KEPT_PAGES, REVISION_HEADER } from '#contract/site.ts'
import { filesOf, HOME, type Routes, screensOf } from './screens.ts'

const [SHELL] = KEPT_PAGES
/** The layout that every screen of the dashboard needs. */
const LAYOUT = 'routes/dashboard/layout'

/**
 * Builds the service worker of a language into the folder of the web app. It keeps the shell: the fallback page, which has its styles in
 * it, with the scripts that it starts with (`startFiles`), the layout of the dashboard, and the styles of its home. All other files are kept when they have been loaded once,
 * such as the font, which slow networks do not load.
 */
export async function buildServiceWorker(
  client: string,
  locale: Locale,
  routes: Routes,
  startFiles: readonly string[],
): Promise<void> {
  const pageUrls = KEPT_PAGES.map((page) => localePath(locale, page))
  const shellPage = await readFile(join(client, localePath(locale, SHELL)), 'utf8')
  // They are in the page of the home; the shell needs them as files.
  const stylesOfHome = filesOf(routes, HOME).filter((file) => file.endsWith('.css'))
  const shell = new Set([...startFiles, ...filesOf(routes, LAYOUT), ...stylesOfHome])
  const precache = [
    ...pageUrls.map((url) => ({ url, revision: BUILD_REVISION })),
    ...[...shell]
      .filter((url) => !shellPage.includes(`data-href="${url}`))
      .map((url) => ({ url, revision: null })),
  ]
  await build({
    input: 'web/service-worker/service-worker.ts',
    transform: {
      define: {
        'process.env.NODE_ENV': '"production"',
        __PRECACHE__: JSON.stringify(precache),
        __REVISION__: JSON.stringify(BUILD_REVISION),
        __REVISION_HEADER__: JSON.stringify(REVISION_HEADER),
        __SCREENS__: JSON.stringify(screensOf(locale, routes, shell)),
        __SHELL__: JSON.stringify(pageUrls[0]),
        __OFFLINE_PAGE__: JSON.stringify(pageUrls[1]),
        __DASHBOARD__: JSON.stringify(localePath(locale, '/dashboard')),
      },
    },
    output: { file: join(client, localePath(locale, '/service-worker.js')), format: 'iife', minify: true },
    logLevel: 'warn',
  })
}
