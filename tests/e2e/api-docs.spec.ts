import { GUIDES } from '#server/api-docs/guides.ts'
import { expectContrast } from './accessibility.ts'
import { expect, expectAccessible, expectNoSidewaysScroll, type Page, test } from './fixtures.ts'

test('the reference of the API fits a phone and a desktop, and is accessible in both color schemes', async ({
  page,
}) => {
  await page.goto('/api/docs')
  await expect(page.getByRole('heading', { level: 1, name: 'Tallywork API', exact: true })).toBeVisible()
  await page.locator('#addTask > summary').click()
  await expectToFit(page, '/api/docs')
})

test('errors and guides of the API fit a phone and a desktop, and are accessible in both color schemes', async ({
  page,
}) => {
  const guides = GUIDES.map(({ slug, title }) => ({
    path: `/api/docs/${slug}`,
    heading: new RegExp(`^${title}`),
  }))
  for (const { path, heading } of [{ path: '/api/docs/errors', heading: 'Errors' }, ...guides])
    await test.step(path, async () => {
      await page.emulateMedia({ colorScheme: 'light' })
      await page.goto(path)
      await expect(page.getByRole('heading', { level: 1, name: heading, exact: true })).toBeVisible()
      await expectToFit(page, path)
    })
})

test('an error of an operation leads to its meaning and its remedy', async ({ page }) => {
  await page.goto('/api/docs#addTask')
  const operation = page.locator('#addTask')
  await operation.locator('summary').click()
  await operation.getByRole('link', { name: 'insufficient_coins' }).click()
  await expect(page).toHaveURL('/api/docs/errors#insufficient_coins')
  await expect(page.locator('#insufficient_coins')).toBeInViewport()
})

async function expectToFit(page: Page, path: string): Promise<void> {
  await expectAccessible(page)
  await page.emulateMedia({ colorScheme: 'dark' })
  await expectContrast(page)
  for (const width of [320, 390, 1440]) {
    await page.setViewportSize({ width, height: 900 })
    await expectNoSidewaysScroll(page)
    if (process.env.PICTURES === '1')
      await page.screenshot({ path: `test-output/screens${path.replaceAll('/', '-')}-${width}.png` })
  }
}
