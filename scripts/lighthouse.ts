import { mkdir, writeFile } from 'node:fs/promises'
import { type Browser, type BrowserContext, chromium } from '@playwright/test'
import lighthouse from 'lighthouse'
import { splitLocale } from '#contract/locales.ts'
import { findBrowser } from '#tests/support/browser.ts'
import { freePort, startServerProcess } from '#tests/support/server-process.ts'

/**
 * Lighthouse's mobile preset on the public pages of the built app, some of them in Bangla too, as strangers get them, and on the
 * dashboard as a worker of the demo who has just signed in. Prints the scores and what moved them, keeps the reports in
 * test-output/lighthouse, and fails where a score is below 100. On a busy machine performance depends on luck: there
 * the largest paint, the shift and the byte budgets of the build decide.
 *
 *   npm run build && npm run lighthouse [path …]
 */
const PAGES = [
  ...['/', '/all-worker', '/all-task', '/login', '/sign-up', '/bn', '/bn/all-task', '/bn/login'],
  ...['/dashboard', '/bn/dashboard'],
]
const CATEGORIES = ['performance', 'accessibility', 'best-practices', 'seo']

const asked = process.argv.slice(2)
const server = await startServerProcess({ env: { DEMO: '1' } })
const port = await freePort()
const { executablePath, args, env } = await findBrowser(console.log)
const browser = await chromium.launch({
  executablePath,
  env,
  args: [...args, `--remote-debugging-port=${port}`],
})
const connection = await chromium.connectOverCDP(`http://127.0.0.1:${port}`)
const context = defaultContext(connection)
await mkdir('test-output/lighthouse', { recursive: true })
let below = 0
try {
  for (const path of asked.length > 0 ? asked : PAGES) {
    await signOut()
    if (isOfUser(path)) await signIn()
    below += await judge(path)
  }
} finally {
  await connection.close()
  await browser.close()
  await server.stop()
}
process.exitCode = below > 0 ? 1 : 0

/** Returns the browser's own context, in which Lighthouse opens its pages, and which only a connection over CDP knows. */
function defaultContext(browser: Browser): BrowserContext {
  const [first] = browser.contexts()
  if (first === undefined) throw new Error('The browser has no context of its own')
  return first
}

function isOfUser(path: string): boolean {
  return splitLocale(path).path.startsWith('/dashboard')
}

/** Signs in as a worker of the demo, in the context where Lighthouse opens its page. It clears caches there, but no cookies. */
async function signIn(): Promise<void> {
  const response = await context.request.post(`${server.url}/api/demo/try-as`, {
    data: { role: 'Worker' },
    headers: { origin: server.url },
  })
  if (!response.ok()) throw new Error(`Could not sign in: ${await response.text()}`)
}

/** Deletes the cookies, and what the app has saved of a user, which the browser stores per origin. */
async function signOut(): Promise<void> {
  await context.clearCookies()
  const page = await context.newPage()
  await page.goto(`${server.url}/robots.txt`)
  await page.evaluate(async () => {
    localStorage.clear()
    for (const { name } of await indexedDB.databases()) if (name) indexedDB.deleteDatabase(name)
  })
  await page.close()
}

/** Returns how many of the page's scores are below 100. */
async function judge(path: string): Promise<number> {
  const result = await lighthouse(server.url + path, { port, output: 'html', onlyCategories: CATEGORIES })
  if (result === undefined) throw new Error(`Lighthouse had nothing to say of ${path}`)
  const { categories, audits } = result.lhr
  const scores = CATEGORIES.map((name) => Math.round((categories[name]?.score ?? 0) * 100))
  const shown = (name: string) => audits[name]?.displayValue ?? '?'
  console.log(
    `${path}: ${CATEGORIES.map((name, index) => `${name} ${scores[index]}`).join(', ')} ` +
      `(largest paint ${shown('largest-contentful-paint')}, blocking ${shown('total-blocking-time')}, ` +
      `shift ${shown('cumulative-layout-shift')})`,
  )
  for (const audit of Object.values(audits)) {
    if (audit.score !== null && audit.score < 0.9 && audit.scoreDisplayMode !== 'informative') {
      console.log(`    ${audit.id}: ${audit.displayValue ?? audit.title}`)
    }
  }
  await writeFile(
    `test-output/lighthouse/${path.slice(1).replaceAll('/', '-') || 'home'}.html`,
    String(result.report),
  )
  return scores.filter((score) => score < 100).length
}
