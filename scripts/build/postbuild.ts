import { createHash } from 'node:crypto'
import { glob, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { DEFAULT_LOCALE, LOCALES, type Locale, localePath, splitLocale } from '#contract/locales.ts'
import type { Route } from '#web/lib/prefetch.ts'
import { buildEarlyScript, HOME_ENDPOINTS } from './early-script.ts'
import { withVariablesInHead } from './mantine-styles.ts'
import { filesOf, HOME, PRERENDERED_SCREENS, type Routes, scriptsInOrder } from './screens.ts'
import { buildServiceWorker } from './service-worker.ts'
import { startFilesOf, startInSlices, takePreloads, withStart } from './start-files.ts'
import { buildActivateStyles, buildStartScript } from './start-script.ts'
import { shortenStyles } from './styles.ts'

/**
 * Finishes the build of all languages: inlines the styles of public pages and delays their scripts until after the first large
 * paint, writes compressed copies of all text files except those that the server completes (pages, manifests and service
 * workers), and enforces the budgets of the landing page, of the dashboard and of the way to a task.
 */
const folder = process.env.BUILD_DIRECTORY ?? 'build'
const client = join(folder, 'client')
/** The page that starts the app on screens that are not prerendered. */
const FALLBACK = '/__spa-fallback.html'
/** Pages that do not start their scripts later: the one of screens, and one without any. */
const UNCHANGED = /(^|\/)(__spa-fallback|offline)\.html$/
/** The page without any script and without Mantine's styles. */
const OFFLINE = /(^|\/)offline\.html$/
const SERVICE_WORKER = /(^|\/)service-worker\.js$/
/** The screens of the dashboard that are prerendered. */
const SCREEN = /(^|\/)dashboard\/.*index\.html$/
/** Pages on which everybody types. */
const FORMS = /(^|\/)(login|sign-up)\/index\.html$/
/** Compressed sizes of the landing page in KB: all that it loads before the first interaction, and its parts. */
const BUDGET_KB = { 'before the first interaction': 90, page: 25.7, styles: 14.4, 'scripts on demand': 126 }
/** A letter of Bangla takes three bytes, and the texts of a page are in its HTML and in its scripts. */
const BUDGET_KB_TRANSLATED = { ...BUDGET_KB, page: 26.8, 'scripts on demand': 128.5 }
const BUDGET_REQUESTS = 12
/** Of a worker's first visit to the dashboard. */
const BUDGET_DASHBOARD_REQUESTS = 15
/** Compressed size in KB of what a worker loads of the build from an empty cache to the list of tasks and a task's details. */
const BUDGET_DETAILS_KB = 175
const BUDGET_DETAILS_KB_TRANSLATED = 178
/** What the app and its pages read of a route in the framework's list. */
const FIELDS_OF_ROUTES = ['parentId', 'path', 'index', 'module', 'clientLoaderModule', 'imports', 'css']
/** The script that starts the app. */
const MODULE_SCRIPT = /(<script type="module" async="">)([\s\S]*?)(<\/script>)/

for (const path of await find('**/*.{css,html}'))
  await writeFile(inClient(path), shortenStyles(await read(path)))
for (const path of await find('**/*.html')) {
  if (!OFFLINE.test(path)) await writeFile(inClient(path), withVariablesInHead(await read(path)))
  const { locale } = splitLocale(`/${path}`)
  if (!(await read(path)).includes(`<html lang="${locale}"`))
    throw new Error(`${path} does not say that its language is ${locale}.`)
  if (!UNCHANGED.test(path) && !SCREEN.test(path))
    await writeFile(inClient(path), await quickPage(path, await read(path)))
}
const manifests = await shortenManifests()
for (const locale of LOCALES) {
  const routes = await routesOf(locale)
  const startFiles = await completeFallback(localePath(locale, FALLBACK), await buildEarlyScript(locale))
  for (const [path, route] of Object.entries(PRERENDERED_SCREENS))
    await completeScreen(`${localePath(locale, path)}/index.html`, locale, scriptsInOrder(routes, route))
  await buildServiceWorker(client, locale, routes, startFiles)
  await checkDetailsBudget(locale, routes)
  await checkDashboardBudget(locale, routes)
}
await compressAll()
for (const locale of LOCALES) await checkBudgets(locale)
// The server build was only needed to prerender the public pages.
await rm(join(folder, 'server'), { recursive: true, force: true })

/** Inlines the styles of a page, which saves a request, and starts its scripts when the page needs them. */
async function quickPage(path: string, html: string): Promise<string> {
  const { html: page, preloads } = takePreloads(await withInlineStyles(html))
  const script = moduleScriptOf(page)
  const name = `assets/start-${createHash('sha256').update(script).digest('hex').slice(0, 8)}.js`
  await writeFile(inClient(name), script)
  const startScript = await buildStartScript([`/${name}`, ...preloads], !FORMS.test(path))
  return page.replace(script, () => startScript)
}

function moduleScriptOf(html: string): string {
  const [, , script] = MODULE_SCRIPT.exec(html) ?? []
  if (!script) throw new Error('The page has no module script: has the framework changed how it starts?')
  return script
}

/**
 * Inlines the styles of a page. The links to them stay, disabled, because React expects the elements that it rendered. They get
 * their URLs when scripts start: browsers preload disabled stylesheets, too. The module script stays as well.
 */
async function withInlineStyles(html: string): Promise<string> {
  const links = [...html.matchAll(/<link rel="stylesheet" href="\/([^"]+)"\/>/g)]
  let page = html
  for (const [link, path = ''] of links) {
    // React Router adds a # to the URL of styles that code loaded later needs too.
    const styles = (await read(path.replace(/#$/, ''))).replaceAll('</style', '<\\/style')
    page = page.replace(
      link,
      () =>
        `<style>${styles}</style>${link.replace(' href=', ' data-href=').replace('/>', ' disabled=""/>')}`,
    )
  }
  return page
}

/**
 * Puts into the fallback page what would be small files of their own (scripts/build/start-files.ts). The early script uses the list of
 * routes, and comes before the preloads, so that its requests do not wait for them. Returns the scripts and styles that the page needs.
 */
async function completeFallback(path: string, earlyScript: string): Promise<string[]> {
  const { html, routes } = await withStart(client, await withInlineStyles(await read(path)))
  const position = html.indexOf('<link rel="modulepreload"')
  const scripts = `<script>${routes}</script><script>${earlyScript}</script>`
  const activate = await buildActivateStyles()
  await writeFile(
    inClient(path),
    (html.slice(0, position) + scripts + html.slice(position)).replace(
      '<script type="module" async="">',
      (tag) => tag + activate,
    ),
  )
  return startFilesOf(html)
}

/**
 * A prerendered screen requests at once what its scripts will need. They are loaded after its first paint
 * (docs/decisions/0105-prerendered-dashboard.md).
 */
async function completeScreen(path: string, locale: Locale, scripts: readonly string[]): Promise<void> {
  const start = await withStart(client, await read(path))
  const { html } = takePreloads(await withInlineStyles(start.html))
  const script = moduleScriptOf(html)
  const earlyScript = await buildEarlyScript(locale, scripts)
  const startScript = await buildStartScript(scripts, false, startInSlices(script, scripts))
  await writeFile(
    inClient(path),
    html
      .replace('<meta charSet="utf-8"/>', (tag) => `${tag}<script>${earlyScript}</script>`)
      .replace(
        MODULE_SCRIPT,
        (_, open: string) => `<script>${start.routes}</script>${open}${startScript}</script>`,
      ),
  )
}

/**
 * Every page loads the list of all routes. A route need not name the files that the routes around it load before it.
 * Returns the lists by their path; languages have the same one or one each.
 */
async function shortenManifests(): Promise<Map<string, Record<string, Route>>> {
  const shortened = new Map<string, Record<string, Route>>()
  for (const path of await find('assets/manifest-*.js')) {
    const [name = '', json = ''] = (await read(path)).replace(/;\s*$/, '').split(/=(.*)/s)
    const manifest = JSON.parse(json) as { routes: Record<string, Route> }
    const routes = structuredClone(manifest.routes)
    for (const [name, route] of Object.entries(manifest.routes)) {
      const loaded = new Set<string>()
      for (let id = route.parentId; id !== undefined; id = routes[id]?.parentId)
        for (const href of [...(routes[id]?.imports ?? []), ...(routes[id]?.css ?? [])]) loaded.add(href)
      const own = (files: string[] = []) => files.filter((href) => !loaded.has(href))
      const shorter = { ...route, imports: own(route.imports), css: own(route.css) }
      const fields = Object.entries(shorter).filter(
        ([field, value]) => FIELDS_OF_ROUTES.includes(field) && !(Array.isArray(value) && value.length === 0),
      )
      manifest.routes[name] = Object.fromEntries(fields) as Route
    }
    await writeFile(inClient(path), `${name}=${JSON.stringify(manifest)};`)
    shortened.set(path, manifest.routes)
  }
  return shortened
}

/** Returns the routes of a language: of the list that its pages load. */
async function routesOf(locale: Locale): Promise<Record<string, Route>> {
  const page = await read(localePath(locale, FALLBACK))
  const [path = ''] = /assets\/manifest-[\w-]+\.js/.exec(page) ?? []
  const routes = manifests.get(path)
  if (routes === undefined) throw new Error(`The pages of ${locale} load no list of routes.`)
  return routes
}

async function compressAll(): Promise<void> {
  for (const path of await find('**/*.{js,css,svg,json,txt}')) {
    if (SERVICE_WORKER.test(path)) continue
    const bytes = await readFile(inClient(path))
    await writeFile(inClient(`${path}.br`), await brotli(bytes))
    await writeFile(inClient(`${path}.gz`), await promisify(gzip)(bytes, { level: 9 }))
  }
}

/** Checks what a new visitor downloads to see the landing page, and then to use it. */
async function checkBudgets(locale: Locale): Promise<void> {
  const page = `${localePath(locale, '/')}/index.html`
  const html = await read(page)
  const scripts = new Set([...html.matchAll(/[`"]\/(assets\/[^`"]+\.js)[`"]/g)].map(([, path]) => path ?? ''))
  const styles = [...html.matchAll(/<link rel="stylesheet" data-href="\/([^"#]+)/g)].map(
    ([, path]) => path ?? '',
  )
  const files = filesAtOnce(html)
  const size = {
    'before the first interaction': await weigh([page, ...files]),
    page: await weigh([page]),
    styles: await weigh(styles),
    'scripts on demand': await weigh([...scripts]),
  }
  const budget = locale === DEFAULT_LOCALE ? BUDGET_KB : BUDGET_KB_TRANSLATED
  const title = locale === DEFAULT_LOCALE ? 'Landing page' : `Landing page (${locale})`
  for (const [what, kb] of Object.entries(size))
    console.log(`${title}, ${what}: ${kb.toFixed(2)} of ${budget[what as keyof typeof size]} KB`)
  // The page itself and the configuration of the installation.
  const requests = files.length + 2
  console.log(`${title}, requests before the first interaction: ${requests} of ${BUDGET_REQUESTS}`)
  const over = Object.entries(size).filter(([what, kb]) => kb > budget[what as keyof typeof size])
  if (over.length > 0) throw new Error(`Over budget: ${over.map(([what]) => what).join(', ')}`)
  if (requests > BUDGET_REQUESTS) throw new Error(`Over budget: ${requests} requests`)
}

async function checkDetailsBudget(locale: Locale, routes: Routes): Promise<void> {
  const list = '/dashboard/available-task'
  const page = `${localePath(locale, list)}/index.html`
  const files = [PRERENDERED_SCREENS[list], 'routes/dashboard/task-details'].flatMap((id) =>
    filesOf(routes, id),
  )
  const html = await read(page)
  const scripts = [...new Set(files)].filter((file) => !html.includes(`data-href="${file}`))
  const kb = await weigh([page, ...scripts])
  const budget = locale === DEFAULT_LOCALE ? BUDGET_DETAILS_KB : BUDGET_DETAILS_KB_TRANSLATED
  console.log(`Screens (${locale}), to a task's details: ${kb.toFixed(2)} of ${budget} KB`)
  if (kb > budget) throw new Error(`Over budget: ${kb.toFixed(2)} KB to a task's details`)
}

/** Checks how many requests the dashboard needs until it is complete: the page, its font and scripts, and what it shows. */
async function checkDashboardBudget(locale: Locale, routes: Routes): Promise<void> {
  const html = await read(`${localePath(locale, '/dashboard')}/index.html`)
  const assets = filesAtOnce(html).filter((file) => file.startsWith('assets/'))
  const requests = 1 + assets.length + scriptsInOrder(routes, HOME).length + HOME_ENDPOINTS.length
  console.log(`Dashboard (${locale}), requests: ${requests} of ${BUDGET_DASHBOARD_REQUESTS}`)
  if (requests > BUDGET_DASHBOARD_REQUESTS)
    throw new Error(`Over budget: ${requests} requests of the dashboard`)
}

/** Returns the files that the browser loads with a page: neither scripts on demand, nor images below the fold. */
function filesAtOnce(html: string): string[] {
  const atOnce = html
    .replace(/<script type="module"[\s\S]*?<\/script>/g, '')
    .replace(/<link rel="apple-touch-icon"[^>]*>|<[^>]* (disabled|loading="lazy")[^>]*>/g, '')
  const files = atOnce.matchAll(
    /(?:href|src)="?\/([\w./-]+\.(?:js|css|woff2|svg|ico|png|jpg|webp|avif|webmanifest))/g,
  )
  return [...new Set([...files].map(([, path]) => path ?? ''))]
}

async function weigh(paths: string[]): Promise<number> {
  const sizes = await Promise.all(
    paths.map(async (path) => (await brotli(await readFile(inClient(path)))).length),
  )
  return sizes.reduce((sum, bytes) => sum + bytes, 0) / 1000
}

function brotli(bytes: Buffer): Promise<Buffer> {
  return promisify(brotliCompress)(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } })
}

function find(pattern: string): Promise<string[]> {
  return Array.fromAsync(glob(pattern, { cwd: client }))
}

function read(path: string): Promise<string> {
  return readFile(inClient(path), 'utf8')
}

function inClient(path: string): string {
  return join(client, path)
}
