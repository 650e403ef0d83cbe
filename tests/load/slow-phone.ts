// Measures what a worker's phone loads on a slow network, step by step, from an empty cache to the first task's details:
// bytes over the wire with headers, requests, and seconds until the screen is shown, takes what is typed, and is complete.
//
//   npm run slow-phone [-- --locale bn] [--kbit 400] [--latency 400] [--slower 6] [--list]
//
// The phone has a font for Bangla, as every Android phone does. Fails where a step is over its budget.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { type BrowserContext, chromium, type Locator } from '@playwright/test'
import { DEFAULT_LOCALE, LOCALES, localePath } from '#contract/locales.ts'
import { findBrowser } from '#tests/support/browser.ts'
import { startServerProcess } from '#tests/support/server-process.ts'
import { withBanglaFont } from './slow-phone/bangla-font.ts'
import { countTraffic, emulatePhone, type Traffic } from './slow-phone/network.ts'

/** Kilobytes from the empty cache to the first task's details, and requests of the dashboard. */
const BUDGET = { detailsKb: 188, detailsKbTranslated: 196, dashboardRequests: 15 }

const { values } = parseArgs({
  options: {
    locale: { type: 'string', default: 'en' },
    kbit: { type: 'string', default: '400' },
    latency: { type: 'string', default: '400' },
    slower: { type: 'string', default: '6' },
    list: { type: 'boolean', default: false },
  },
})
const locale = LOCALES.find((one) => one === values.locale)
if (locale === undefined) throw new Error(`There is no language ${values.locale}.`)
const pathOf = (path: string) => localePath(locale, path)
const network = {
  kbitPerSecond: Number(values.kbit),
  latencyMs: Number(values.latency),
  slower: Number(values.slower),
}

const server = await startServerProcess({ env: { DEMO: '1' } })
const folder = await mkdtemp(join(tmpdir(), 'slow-phone-'))
const browser = await chromium.launch(await withBanglaFont(await findBrowser(console.log), folder))
const over: string[] = []
try {
  console.log(
    '| step | KB | requests | files | shown after | takes input after | complete after |\n|---|---|---|---|---|---|---|',
  )
  await firstTask()
  await search()
  await dashboard()
  await visits()
} finally {
  await browser.close()
  await server.stop()
  await rm(folder, { recursive: true, force: true })
}
for (const budget of over) console.log(`Over budget: ${budget}`)
process.exitCode = over.length > 0 ? 1 : 0

/** From an empty cache to the list of tasks, and to the details of the first one. */
async function firstTask(): Promise<void> {
  const { page, traffic, close } = await phone(true)
  const list = await step(
    'tasks, first visit',
    traffic,
    async () => {
      await page.goto(pathOf('/dashboard/available-task'), { waitUntil: 'commit' })
      await page.getByRole('heading', { level: 1 }).waitFor()
    },
    undefined,
    () => page.getByRole('article').first().waitFor(),
  )
  const details = await step('the first task’s details', traffic, async () => {
    const task = page.getByRole('article').first()
    const name = (await task.getByRole('heading').textContent()) ?? ''
    await task.getByRole('link').last().tap()
    await page.getByRole('heading', { level: 1, name }).waitFor()
  })
  const kb = list + details
  const budget = locale === DEFAULT_LOCALE ? BUDGET.detailsKb : BUDGET.detailsKbTranslated
  if (kb > budget) over.push(`${kb.toFixed(1)} of ${budget} KB from the empty cache to a task’s details`)
  await close()
}

/** A search that is typed before the scripts of the list run, and done when they do. */
async function search(): Promise<void> {
  const { page, traffic, close } = await phone(true)
  const field = page.getByRole('searchbox')
  await step(
    'search in the tasks, first visit',
    traffic,
    () => page.goto(pathOf('/dashboard/available-task'), { waitUntil: 'commit' }),
    () => typeInto(field),
    async () => {
      await page.waitForURL((url) => url.searchParams.get('q') === 'r')
      await expectTyped(field)
    },
  )
  await close()
}

async function dashboard(): Promise<void> {
  const { page, traffic, close } = await phone(true)
  await step(
    'dashboard, first visit',
    traffic,
    async () => {
      await page.goto(pathOf('/dashboard'), { waitUntil: 'commit' })
      await page.getByRole('heading', { level: 1 }).waitFor()
    },
    undefined,
    () => page.locator('main dl').first().waitFor(),
  )
  const { requests } = traffic.total
  if (requests > BUDGET.dashboardRequests)
    over.push(`${requests} of ${BUDGET.dashboardRequests} requests of the dashboard`)
  await close()
}

/** The forms that a first and a second visit types into. The second visit has the service worker. */
async function visits(): Promise<void> {
  const { page, context, traffic, close } = await phone(false)
  const email = page.locator('input[type=email]').first()
  await step(
    'login, first visit',
    traffic,
    () => page.goto(pathOf('/login')),
    () => typeInto(email),
    async () => {
      await page.waitForFunction(() => 'ready' in document.documentElement.dataset)
      await expectTyped(email)
    },
  )
  await enter(context)
  await page.goto(pathOf('/dashboard/available-task'))
  await page.getByRole('article').first().waitFor()
  await page.evaluate(async () => (await navigator.serviceWorker.ready) !== undefined)
  await traffic.settled()
  traffic.take()
  await step(
    'tasks, second visit',
    traffic,
    async () => {
      await page.goto(pathOf('/dashboard/available-task'))
      await page.getByRole('article').first().waitFor()
    },
    () => typeInto(page.getByRole('searchbox')),
  )
  await close()
}

/** Types a letter. A field may take it before the scripts of its page run, and then keeps it. */
async function typeInto(field: Locator): Promise<void> {
  await field.pressSequentially('r')
  await expectTyped(field)
}

async function expectTyped(field: Locator): Promise<void> {
  if ((await field.inputValue()) !== 'r') throw new Error('What was typed is lost')
}

/** Runs a step and prints it. Returns its kilobytes. */
async function step(
  name: string,
  traffic: Traffic,
  show: () => Promise<unknown>,
  type?: () => Promise<unknown>,
  complete?: () => Promise<unknown>,
): Promise<number> {
  const start = performance.now()
  const since = () => `${((performance.now() - start) / 1000).toFixed(1)} s`
  await show()
  const shown = since()
  await type?.()
  const typed = type ? since() : '–'
  await complete?.()
  const completed = complete ? since() : '–'
  await traffic.settled()
  const { bytes, requests, files, urls } = traffic.take()
  const kb = bytes / 1000
  console.log(`| ${name} | ${kb.toFixed(1)} | ${requests} | ${files} | ${shown} | ${typed} | ${completed} |`)
  if (values.list) for (const line of urls) console.log(`    ${line.replace(server.url, '')}`)
  return kb
}

/** Returns a new phone with an empty cache, signed in as the demo's worker or not. */
async function phone(isSignedIn: boolean) {
  const context = await browser.newContext({
    baseURL: server.url,
    viewport: { width: 390, height: 844 },
    deviceScaleFactor: 2,
    hasTouch: true,
    isMobile: true,
    // What a service worker loads for the page is not seen from the page.
    serviceWorkers: isSignedIn ? 'block' : 'allow',
    locale: locale === 'bn' ? 'bn-BD' : 'en-GB',
  })
  if (isSignedIn) await enter(context)
  const page = await context.newPage()
  await emulatePhone(page, network)
  return { page, context, traffic: await countTraffic(page), close: () => context.close() }
}

async function enter(context: BrowserContext): Promise<void> {
  const response = await context.request.post('/api/demo/try-as', {
    data: { role: 'Worker' },
    headers: { origin: new URL(server.url).origin },
  })
  if (!response.ok()) throw new Error(await response.text())
}
