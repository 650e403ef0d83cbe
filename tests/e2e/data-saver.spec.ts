import { advanceClockUntil, expect, open, signInAsDemo, test } from './fixtures.ts'

test('a browser that saves data loads no font, prefetches nothing, and polls instead of the live stream', async ({
  page,
  context,
}) => {
  await signInAsDemo(context, 'Worker')
  await page.addInitScript(() =>
    Object.defineProperty(navigator, 'connection', { value: { saveData: true } }),
  )
  await page.clock.install()
  const requested: { type: string; url: string }[] = []
  page.on('request', (request) => requested.push({ type: request.resourceType(), url: request.url() }))
  const requests = (pattern: RegExp) => requested.filter(({ url }) => pattern.test(url)).length

  await open(page, '/dashboard')
  await expect(page.getByRole('heading', { level: 1, name: 'Profile' })).toBeVisible()
  await page.getByRole('figure').first().waitFor()
  const before = requests(/\/api\/user-details\//)
  await advanceClockUntil(page, 30_000, async () => requests(/\/api\/user-details\//) > before)
  expect(requests(/\/api\/live/)).toBe(0)

  const link = page
    .getByRole('navigation', { name: 'Dashboard' })
    .getByRole('link', { name: 'Available Task' })
  await link.hover()
  await expect(page.locator('head link[href*="/available-task-"]')).toHaveCount(0)
  await link.click()
  await expect(page.getByRole('heading', { level: 1, name: 'Available Tasks' })).toBeVisible()
  expect(requests(/\/assets\/available-task-/)).toBeGreaterThan(0)
  expect(requested.filter(({ type }) => type === 'font')).toEqual([])
})
