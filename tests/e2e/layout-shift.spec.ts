import type { Route } from '@playwright/test'
import type { Role } from '#contract/endpoint.ts'
import { expect, open, type Page, signInAsDemo, test } from './fixtures.ts'

/** A shift of the layout, in the units of the web vital: a page should have no more than 0.1 in all. */
type Shift = { value: number; moved: string[] }

declare global {
  interface Window {
    shifts: Shift[]
  }
}

/** A line that wraps otherwise in the fallback of a font moves what is below it a little. Boxes instead of letters moved 0.23. */
const NOTICEABLE = 0.05

/** Collects the shifts of the page, with what moved, before its own scripts run. */
async function observeShifts(page: Page): Promise<void> {
  await page.addInitScript(() => {
    window.shifts = []
    type Entry = PerformanceEntry & { value: number; sources: { node: Node | null }[] }
    new PerformanceObserver((list) => {
      for (const { value, sources } of list.getEntries() as Entry[])
        window.shifts.push({
          value,
          moved: sources.map(({ node }) =>
            node instanceof Element ? node.outerHTML.slice(0, 120) : (node?.textContent ?? ''),
          ),
        })
    }).observe({ type: 'layout-shift', buffered: true })
  })
}

/** The page is shown without the font after three seconds, which a busy machine may take: it waits as long as the test. */
async function waitWithoutEnd(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const { setTimeout: start } = window
    const ignoreLimit = (run: TimerHandler, ms?: number) => (ms === 3000 ? 0 : start(run, ms))
    window.setTimeout = ignoreLimit as typeof start
  })
}

/** Expects no shift of `limit` or more. */
async function expectNoShift(page: Page, limit = NOTICEABLE): Promise<void> {
  // Shifts are reported after the frame in which they happen.
  const shifts = await page.evaluate(async () => {
    for (let frame = 0; frame < 3; frame++) await new Promise(requestAnimationFrame)
    return window.shifts
  })
  expect(
    shifts.filter(({ value }) => value >= limit),
    'what moved',
  ).toEqual([])
}

// A hidden heading has no role, so the tests locate it by its element.
test.use({ viewport: { width: 390, height: 844 } })

test('pages in Bangla wait for its font, on a device without one, and do not move', async ({ page }) => {
  await observeShifts(page)
  await waitWithoutEnd(page)
  for (const path of ['/bn', '/bn/all-task', '/bn/all-worker', '/bn/login', '/bn/sign-up'])
    await test.step(path, async () => {
      const { promise: font, resolve: sendFont } = Promise.withResolvers<void>()
      const requested = page.waitForRequest('**/assets/bangla-*.woff2')
      await page.route('**/assets/bangla-*.woff2', (route) => font.then(() => route.continue()))
      await page.goto(path, { waitUntil: 'commit' })
      const title = page.locator('h1')
      await title.waitFor({ state: 'attached' })
      await requested
      await expectNoShift(page)
      sendFont()
      await expect(title).toBeVisible()
      await expectNoShift(page)
      await page.unroute('**/assets/bangla-*.woff2')
    })
})

test('a page in Bangla is shown without the font when it does not arrive', async ({ page, expected }) => {
  expected.push('bangla-')
  await page.clock.install()
  await page.route('**/assets/bangla-*.woff2', () => {})
  await page.goto('/bn', { waitUntil: 'commit' })
  const title = page.locator('h1')
  await title.waitFor({ state: 'attached' })
  await page.clock.fastForward(3000)
  await expect(title).toBeVisible()
})

test('public pages do not move while their scripts and lists arrive', async ({ page, expected }) => {
  // Users also write in Bangla, and their texts move a little when its font arrives.
  expected.push('bangla-')
  await page.route('**/assets/bangla-*.woff2', (route) => route.abort())
  await observeShifts(page)
  for (const path of ['/', '/all-task', '/all-worker', '/login', '/sign-up'])
    await test.step(path, async () => {
      await open(page, path)
      await expect(page.locator('.animate-pulse')).toHaveCount(0)
      await expectNoShift(page)
    })
})

for (const [role, path] of [
  ['Worker', '/bn/dashboard'],
  ['Buyer', '/dashboard'],
  ['Admin', '/bn/dashboard'],
] as [Role, string][]) {
  test(`${path} of a ${role} does not move, in whatever order its data arrive`, async ({ page, context }) => {
    await page.setViewportSize({ width: 1440, height: 1200 })
    await signInAsDemo(context, role)
    await observeShifts(page)
    const held: Route[] = []
    await page.route('**/api/**', (route) => {
      held.push(route)
    })
    await page.goto(path, { waitUntil: 'commit' })
    // The last request is the first to get its response. The app makes some only after others.
    await expect
      .poll(
        async () => {
          await held.pop()?.continue()
          await expectNoShift(page)
          const sections = await page.locator('#your-data').isVisible()
          const loading = await page.locator('main [role="status"][aria-label]').count()
          return { sections, loading, waiting: held.length }
        },
        { intervals: [20] },
      )
      .toEqual({ sections: true, loading: 0, waiting: 0 })
  })
}

test('a home in Bangla keeps its letters and does not move when more styles are loaded', async ({
  page,
  context,
}) => {
  await signInAsDemo(context, 'Worker')
  await observeShifts(page)
  await waitWithoutEnd(page)
  await page.goto('/bn/dashboard')
  await expect(page.locator('#your-data')).toBeAttached()
  // On a slow machine its spinner is shown first, which the line above it may move a little.
  await expectNoShift(page)
  await page.evaluate(() => {
    window.shifts = []
  })
  // Dialogs and toasts are loaded last. A style sheet with layers before another one would load all fonts again.
  for (const name of ['dialog-host', 'toast-host'])
    await expect(page.locator(`link[rel="stylesheet"][href*="/${name}-"]`)).toBeAttached()
  await page.evaluate(() => document.fonts.ready)
  await expectNoShift(page, 0.001)
})
