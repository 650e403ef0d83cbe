import type { Request } from '@playwright/test'
import { TESTIMONIAL_MS } from '#contract/product.ts'
import { holdScripts } from './conditions.ts'
import { advanceClockUntil, expect, expectAccessible, open, type Page, test } from './fixtures.ts'

const isScript = (url: string) => /\/assets\/.*\.js$/.test(url)

/** Collects the requests of a page. */
function requestsOf(page: Page): Request[] {
  const requests: Request[] = []
  page.on('request', (request) => requests.push(request))
  return requests
}

test.describe('before the first interaction', () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true })

  test('the landing page loads 90 KB at most, in twelve requests, and no script, and its links lead on', async ({
    page,
  }) => {
    await page.clock.install()
    const requests = requestsOf(page)
    const configuration = page.waitForResponse('**/api/site')
    await page.goto('/')
    await (await configuration).finished()
    // No timer starts the scripts.
    await page.clock.fastForward(60_000)
    expect(requests.filter((request) => isScript(request.url()))).toEqual([])
    expect(requests.length).toBeLessThanOrEqual(12)
    const sizes = await Promise.all(requests.map((request) => request.sizes()))
    const bytes = sizes.map(
      ({ responseBodySize, responseHeadersSize }) => responseBodySize + responseHeadersSize,
    )
    expect(bytes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(90_000)

    await page.route('**/assets/*.js', () => {})
    await page.getByRole('contentinfo').getByRole('link', { name: 'Terms' }).click()
    await expect(page).toHaveURL('/terms')
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  })

  test('a press waits for the scripts and is then made once', async ({ page }) => {
    const sendScripts = await holdScripts(page)
    const isListening = page.waitForRequest('**/api/site')
    await page.goto('/', { waitUntil: 'commit' })
    await isListening
    const menu = page.getByRole('button', { name: 'Menu' })
    await menu.tap()
    await expect(menu).toHaveAttribute('data-busy')
    sendScripts()
    await expect(page.getByRole('navigation', { name: 'Main' })).toBeVisible()
    await expect(menu).toHaveAttribute('aria-expanded', 'true')
    await expect(menu).not.toHaveAttribute('data-busy')
  })

  test('a different configuration is shown, a list is filled when it is scrolled into view, and the map loads on request', async ({
    page,
    context,
    expected,
  }) => {
    expected.push('openstreetmap.org')
    const maps: string[] = []
    await context.route(/openstreetmap\.org/, async (route) => {
      maps.push(route.request().url())
      await route.fulfill({ contentType: 'text/html', body: '<!doctype html><title>Map</title>' })
    })
    await page.route('**/api/site', async (route) => {
      const site = await (await route.fetch()).json()
      await route.fulfill({ json: { ...site, packages: [{ coins: 770, price: 9 }] } })
    })
    await page.goto('/')
    await expect(page.getByRole('button', { name: 'Buy 770 coins' })).toBeAttached()
    await page.getByRole('heading', { name: 'Our Finest Talent Pool' }).scrollIntoViewIfNeeded()
    await expect(page.locator('#talent').getByText('Rank').first()).toBeAttached()

    const show = page.getByRole('button', { name: 'Show map' })
    await show.scrollIntoViewIfNeeded()
    await expect(show).toHaveAccessibleDescription('Loads a map from openstreetmap.org')
    expect(maps).toEqual([])
    await show.click()
    await expect(page.getByTitle(/Map of our office/)).toBeVisible()
    await expect.poll(() => maps.length).toBe(1)
  })
})

test('the testimonials rotate automatically, by their dots, can be paused, and stay with reduced motion', async ({
  page,
}) => {
  await page.clock.install()
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await open(page, '/')
  const carousel = page.getByRole('region', { name: /Hear from/ })
  await carousel.scrollIntoViewIfNeeded()
  const current = () => carousel.locator('button[aria-current=true]').getAttribute('aria-label')
  const slides = carousel.locator('[aria-roledescription=slide]')
  await expect(slides).toHaveCount(3)
  expect(await slides.first().evaluate((slide) => getComputedStyle(slide).paddingLeft)).toBe('30px')
  // The page was built for users who see it move: the wish is known once the carousel is hydrated.
  await expect(carousel.locator('[aria-live=polite]')).toHaveCount(1)
  // From now on only the test lets time pass.
  await page.clock.pauseAt(Date.now() + 60_000)
  await page.clock.runFor(3 * TESTIMONIAL_MS)
  expect(await current()).toContain('Mehedi')

  await page.emulateMedia({ reducedMotion: 'no-preference' })
  await expect(carousel.locator('[aria-live=off]')).toHaveCount(1)
  await advanceClockUntil(page, TESTIMONIAL_MS, async () => (await current())?.includes('Sadia'))
  await carousel.getByRole('button', { name: /Imran/ }).click()
  await expect.poll(current).toContain('Imran')
  await page.getByRole('button', { name: 'Pause testimonials' }).click()
  await page.clock.runFor(3 * TESTIMONIAL_MS)
  expect(await current()).toContain('Imran')
  await page.getByRole('button', { name: 'Play testimonials' }).click()
  await page.getByRole('heading', { name: 'Blog and News' }).hover()
  await page.evaluate(() => (document.activeElement as HTMLElement).blur())
  await advanceClockUntil(page, TESTIMONIAL_MS, async () => (await current())?.includes('Mehedi'))
})

test('a visitor who chooses a package is offered to register as a Buyer, in an accessible dialog', async ({
  page,
}) => {
  await open(page, '/')
  await page.getByRole('button', { name: 'Buy 500 coins' }).click()
  const dialog = page.getByRole('dialog', { name: 'You Need Buyer Account' })
  await expect(dialog.getByRole('button', { name: 'Not now' })).toBeFocused()
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Register' }).click()
  await expect(page).toHaveURL('/sign-up')
})

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true })

  test('the menu opens, navigates and closes, by keyboard too', async ({ page }) => {
    await open(page, '/')
    const button = page.getByRole('button', { name: 'Menu' })
    await button.focus()
    await page.keyboard.press('Enter')
    const menu = page.getByRole('navigation', { name: 'Main' })
    await expect(menu.getByRole('link', { name: 'Join as Developer' })).toBeVisible()
    await expectAccessible(page)
    await page.keyboard.press('Escape')
    await expect(menu).toBeHidden()
    await expect(button).toBeFocused()
    await button.click()
    await menu.getByRole('link', { name: 'Find work' }).click()
    await expect(page).toHaveURL('/all-task')
    await expect(menu).toBeHidden()
  })
})
