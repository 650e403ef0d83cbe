import { GUIDES } from '#server/api-docs/guides.ts'
import { expectContrast } from './accessibility.ts'
import { expect, expectAccessible, expectNoSidewaysScroll, test } from './fixtures.ts'

const PAGES: { path: string; heading: string | RegExp; operation?: string }[] = [
  { path: '/api/docs', heading: 'Tallywork API', operation: '#addTask' },
  { path: '/api/docs/errors', heading: 'Errors' },
  ...GUIDES.map(({ slug, title }) => ({ path: `/api/docs/${slug}`, heading: new RegExp(`^${title}`) })),
]

for (const { path, heading, operation } of PAGES) {
  test(`${path} fits a phone and a desktop, and is accessible in both color schemes`, async ({ page }) => {
    await page.goto(path)
    await expect(page.getByRole('heading', { level: 1, name: heading, exact: true })).toBeVisible()
    if (operation !== undefined) await page.locator(`${operation} > summary`).click()
    await expectAccessible(page)
    await page.emulateMedia({ colorScheme: 'dark' })
    await expectContrast(page)
    for (const width of [320, 390, 1440]) {
      await page.setViewportSize({ width, height: 900 })
      await expectNoSidewaysScroll(page)
      if (process.env.PICTURES === '1')
        await page.screenshot({ path: `test-output/screens${path.replaceAll('/', '-')}-${width}.png` })
    }
  })
}

test('an error of an operation leads to its meaning and its remedy', async ({ page }) => {
  await page.goto('/api/docs#addTask')
  const operation = page.locator('#addTask')
  await operation.locator('summary').click()
  await operation.getByRole('link', { name: 'insufficient_coins' }).click()
  await expect(page).toHaveURL('/api/docs/errors#insufficient_coins')
  await expect(page.locator('#insufficient_coins')).toBeInViewport()
})
