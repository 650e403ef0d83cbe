import { type BrowserContext, expect, type Page, test as plain } from '@playwright/test'
import type { Role } from '#contract/endpoint.ts'
import type { Locale } from '#contract/locales.ts'
import { expectAccessible } from './accessibility.ts'

export type { Page } from '@playwright/test'
export { expect } from '@playwright/test'
export { expectAccessible }

type Fixtures = {
  /** What a test expects to go wrong: parts of messages or addresses that are then no failure. */
  expected: string[]
  /** Another user with a browser of their own, newly registered as `role`, on `path` if it is given. */
  visitor: (role: User['role'], name: string, path?: string) => Promise<Page>
  /**
   * Returns the page of a demo user in a language that the tests of a worker process share, for tests that only look at a screen.
   * It keeps its app, so that a screen can be opened by its URL or from another screen.
   */
  demoPage: (role: Role, locale?: Locale) => Promise<Page>
}
type SharedPages = {
  /** A context per role with a page per language, which keep session and cached scripts from test to test. */
  demoPages: Map<Role, { pages: Map<Locale, Page>; context: BrowserContext; browserErrors: string[] }>
}

/**
 * Playwright's test, in which a console error, an uncaught exception, a failed request or a broken content policy
 * fails, in every page of the context.
 */
export const test = plain.extend<Fixtures, SharedPages>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of what a fixture needs from here
  expected: async ({}, provide) => provide([]),
  // biome-ignore lint/correctness/noEmptyPattern: as above
  baseURL: async ({}, provide) => provide(process.env.E2E_URL),
  context: async ({ context, expected }, provide) => {
    const browserErrors: string[] = []
    context.on('page', (page) => listen(page, browserErrors))
    await provide(context)
    const unexpected = browserErrors.filter((error) => !expected.some((part) => error.includes(part)))
    expect(unexpected, 'what the browser complained of').toEqual([])
  },
  visitor: async ({ browser, baseURL, contextOptions, viewport, hasTouch, expected }, provide) => {
    const browserErrors: string[] = []
    const contexts: BrowserContext[] = []
    await provide(async (role, name, path) => {
      const context = await browser.newContext({ ...contextOptions, baseURL, viewport, hasTouch })
      contexts.push(context)
      context.on('page', (page) => listen(page, browserErrors))
      await signUpUser(context, role, name)
      const page = await context.newPage()
      if (path !== undefined) await open(page, path)
      return page
    })
    for (const context of contexts) await context.close()
    const unexpected = browserErrors.filter((error) => !expected.some((part) => error.includes(part)))
    expect(unexpected, 'what the browsers complained of').toEqual([])
  },
  demoPages: [
    // biome-ignore lint/correctness/noEmptyPattern: as above
    async ({}, provide) => {
      const pages: SharedPages['demoPages'] = new Map()
      await provide(pages)
      for (const { context } of pages.values()) await context.close()
    },
    { scope: 'worker' },
  ],
  demoPage: async ({ browser, baseURL, contextOptions, viewport, demoPages }, provide) => {
    let browserErrors: string[] = []
    const used = new Map<Locale, Page>()
    await provide(async (role, locale = 'en') => {
      let entry = demoPages.get(role)
      if (entry === undefined) {
        const context = await browser.newContext({ ...contextOptions, baseURL, viewport })
        await signInAsDemo(context, role)
        entry = { pages: new Map(), context, browserErrors: [] }
        demoPages.set(role, entry)
      }
      browserErrors = entry.browserErrors
      let page = entry.pages.get(locale)
      if (page === undefined) {
        page = await entry.context.newPage()
        listen(page, browserErrors)
        entry.pages.set(locale, page)
      }
      used.set(locale, page)
      return page
    })
    // A dashboard that stays open would keep reading what other tests change.
    for (const [locale, page] of used)
      if (page.url() !== 'about:blank') await navigate(page, locale === 'bn' ? '/bn/terms' : '/terms')
    expect(browserErrors.splice(0), 'what the browser complained of').toEqual([])
  },
})

function listen(page: Page, browserErrors: string[]): void {
  page.on('console', (message) => {
    const { url } = message.location()
    // A tab that is open while its session ends may ask for its event stream again.
    if (/\b401\b/.test(message.text()) && url.includes('/api/live')) return
    if (message.type() === 'error') browserErrors.push(`${message.text()} (${url})`)
  })
  page.on('pageerror', (error) => browserErrors.push(`Uncaught: ${error.message}`))
  page.on('requestfailed', (request) => {
    const reason = request.failure()?.errorText ?? ''
    // A page that is left gives up what it was loading.
    if (reason !== 'net::ERR_ABORTED') browserErrors.push(`${request.method()} ${request.url()}: ${reason}`)
  })
}

/** Opens a URL, scrolls, which starts the scripts of every page, and waits until the page is hydrated. */
export async function open(page: Page, path: string): Promise<void> {
  await page.goto(path)
  await page.evaluate(() => dispatchEvent(new Event('scroll')))
  await ready(page)
}

/**
 * Opens another screen of the app that a page shows, as a link does, and waits for its heading. Neither the screen before nor
 * this one may be rendered by the same component.
 */
export async function navigate(page: Page, path: string): Promise<void> {
  await page.evaluate((path) => {
    for (const heading of document.querySelectorAll('h1')) heading.dataset.left = ''
    history.pushState(null, '', path)
    dispatchEvent(new PopStateEvent('popstate'))
  }, path)
  await expect(page.locator('h1:not([data-left])')).toBeVisible()
}

export async function ready(page: Page): Promise<void> {
  await page.waitForFunction(() => 'ready' in document.documentElement.dataset)
}

/** Advances the page's clock by `ms` at a time, until something is so. The page has `page.clock.install()`. */
export async function advanceClockUntil(
  page: Page,
  ms: number,
  condition: () => Promise<unknown>,
): Promise<void> {
  await expect
    .poll(async () => {
      await page.clock.fastForward(ms)
      return condition()
    })
    .toBe(true)
}

/** Signs the context in as a demo user. */
export async function signInAsDemo(context: BrowserContext, role: Role): Promise<void> {
  const response = await context.request.post('/api/demo/try-as', {
    data: { role },
    headers: { origin: origin() },
  })
  expect(response.status(), await response.text()).toBe(200)
}

export type User = { name: string; email: string; password: string; role: 'Worker' | 'Buyer' }

/** Registers somebody new, over the wire, and leaves the context signed in as them. */
export async function signUpUser(
  context: BrowserContext,
  role: User['role'],
  name = 'Asha Das',
): Promise<User> {
  const user = {
    name,
    role,
    password: 'Secret!',
    email: `e2e-${crypto.randomUUID().slice(0, 13)}@example.com`,
  }
  const headers = { origin: origin() }
  const signedUp = await context.request.post('/api/auth/sign-up', { data: user, headers })
  expect(signedUp.status(), await signedUp.text()).toBe(201)
  const { token } = await (await context.request.post('/api/auth/token', { headers })).json()
  const registered = await context.request.post('/api/user-data', {
    data: { name, email: user.email, role, image: '' },
    headers: { ...headers, authorization: `Bearer ${token}` },
  })
  expect(registered.ok(), await registered.text()).toBe(true)
  return user
}

function origin(): string {
  return new URL(process.env.E2E_URL ?? '').origin
}

/** Nothing sticks out to the side, once the page has settled into its width. */
export async function expectNoSidewaysScroll(page: Page): Promise<void> {
  const over = () =>
    page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)
  await expect.poll(over, { message: 'pixels that stick out to the right' }).toBeLessThanOrEqual(0)
}

/** With PICTURES=1, keeps a picture of the whole page in test-output/screens. */
export async function saveScreenshot(page: Page, name: string): Promise<void> {
  if (process.env.PICTURES !== '1') return
  await page.screenshot({ path: `test-output/screens/${name}.png`, fullPage: true, animations: 'disabled' })
}

export const WIDTHS = [390, 768, 1440]
/** The layouts differ between a phone and a desk, the colours between the schemes: two checks see each of the four. */
const SCHEMES: Record<number, 'light' | 'dark'> = { 390: 'light', 1440: 'dark' }

/**
 * Checks the page in the colour scheme that belongs to its width, if one does. With PICTURES=1, keeps a picture in each
 * scheme.
 */
export async function expectAccessibleAt(page: Page, width: number, name: string): Promise<void> {
  const colorScheme = SCHEMES[width]
  if (colorScheme !== undefined) {
    await showIn(page, colorScheme)
    await expectAccessible(page)
  }
  await saveScreenshots(page, `${name}-${width}`)
}

/** With PICTURES=1, keeps a picture of the page in each color scheme. */
export async function saveScreenshots(page: Page, name: string): Promise<void> {
  if (process.env.PICTURES !== '1') return
  for (const colorScheme of ['light', 'dark'] as const) {
    await showIn(page, colorScheme)
    await saveScreenshot(page, `${name}-${colorScheme}`)
  }
}

/** Shows the page in a color scheme. Its colors begin to fade when the page has noticed, which a busy machine delays. */
async function showIn(page: Page, colorScheme: 'light' | 'dark'): Promise<void> {
  await page.emulateMedia({ colorScheme })
  await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', colorScheme)
}

/**
 * Makes the window as wide as asked for, and for a moment as high as the page, so that what loads late is there. A high window
 * would draw all of the page at each size of text.
 */
export async function resize(page: Page, width: number): Promise<void> {
  await page.setViewportSize({ width, height: 900 })
  const height = await page.evaluate(() => document.documentElement.scrollHeight)
  if (height <= 900) return
  await page.setViewportSize({ width, height: Math.min(height, 6000) })
  // What observes the window is called in the first frame.
  await page.evaluate(async () => {
    for (let frame = 0; frame < 2; frame++) await new Promise(requestAnimationFrame)
  })
  await page.setViewportSize({ width, height: 900 })
}
