import { TESTIMONIAL_MS } from '#contract/product.ts'
import { afterMore, enterAs, expect, expectAccessible, open, test } from './fixtures.ts'

test('the testimonials rotate automatically, by their dots, and can be paused', async ({ page }) => {
  await page.clock.install()
  await open(page, '/')
  const carousel = page.getByRole('region', { name: /Hear from/ })
  await carousel.scrollIntoViewIfNeeded()
  const current = () => carousel.locator('button[aria-current=true]').getAttribute('aria-label')
  const slides = carousel.locator('[aria-roledescription=slide]')
  await expect(slides).toHaveCount(3)
  expect(await slides.first().evaluate((slide) => getComputedStyle(slide).paddingLeft)).toBe('30px')

  await afterMore(page, TESTIMONIAL_MS, async () => (await current())?.includes('Sadia'))
  await carousel.getByRole('button', { name: /Imran/ }).click()
  await expect.poll(current).toContain('Imran')
  await page.getByRole('button', { name: 'Pause testimonials' }).click()
  await page.clock.runFor(3 * TESTIMONIAL_MS)
  expect(await current()).toContain('Imran')
  await page.getByRole('button', { name: 'Play testimonials' }).click()
  await page.getByRole('heading', { name: 'Blog and News' }).hover()
  await page.evaluate(() => (document.activeElement as HTMLElement).blur())
  await afterMore(page, TESTIMONIAL_MS, async () => (await current())?.includes('Mehedi'))
})

test('nothing moves with reduced motion', async ({ page }) => {
  await page.clock.install()
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await page.clock.install()
  await open(page, '/')
  const carousel = page.getByRole('region', { name: /Hear from/ })
  await carousel.scrollIntoViewIfNeeded()
  await expect(carousel.locator('[aria-roledescription=slide]')).toHaveCount(3)
  await page.clock.runFor(3 * TESTIMONIAL_MS)
  await expect(carousel.locator('button[aria-current=true]')).toHaveAttribute('aria-label', /Mehedi/)
})

test('the map loads only on request', async ({ page, context, expected }) => {
  expected.push('openstreetmap.org')
  const asked: string[] = []
  await context.route(/openstreetmap\.org/, async (route) => {
    asked.push(route.request().url())
    await route.fulfill({ contentType: 'text/html', body: '<!doctype html><title>Map</title>' })
  })
  await open(page, '/#contact')
  expect(asked).toEqual([])
  await page.getByRole('button', { name: 'Show map' }).click()
  await expect(page.getByTitle(/Map of our office/)).toBeVisible()
  expect(asked).toHaveLength(1)
})

test('only a Buyer can continue from a package to its payment', async ({ page, context }) => {
  await open(page, '/')
  await page.getByRole('button', { name: 'Buy 500 coins' }).click()
  const dialog = page.getByRole('dialog', { name: 'You Need Buyer Account' })
  await expect(dialog).toBeVisible()
  await expect(dialog.getByRole('button', { name: 'Not now' })).toBeFocused()
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Register' }).click()
  await expect(page).toHaveURL('/sign-up')

  await enterAs(context, 'Worker')
  await open(page, '/')
  await expect(page.getByRole('banner').getByRole('link', { name: 'Dashboard' })).toBeVisible()
  await page.getByRole('button', { name: 'Buy 500 coins' }).click()
  await expect(dialog).toBeVisible()

  // The Worker's page would still make requests while its session ends.
  await page.goto('about:blank')
  await enterAs(context, 'Buyer')
  await open(page, '/')
  await expect(page.getByRole('banner').getByRole('link', { name: 'Dashboard' })).toBeVisible()
  await page.getByRole('button', { name: 'Buy 500 coins' }).click()
  await expect(page).toHaveURL('/dashboard/purchase-coin/payment/20')
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
