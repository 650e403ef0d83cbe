import { localePath } from '#contract/locales.ts'
import { expectToFitAt, expectToFitWithLargeText } from './fits.ts'
import { expect, expectAccessibleAt, navigate, open, type Page, resize, saveScreenshots } from './fixtures.ts'

/**
 * Opens the page in Bangla, and checks that it fits at every width and with text of twice its size, and that it is accessible
 * on a desk in dark colors: English is checked on a phone in light ones (docs/decisions/0090-bangla-and-pseudo-texts.md). Where the
 * app is open in Bangla already, it opens the screen as a link does.
 */
export async function expectBanglaToFit(page: Page, path: string, name: string): Promise<void> {
  const address = localePath('bn', path)
  await page.setViewportSize({ width: 1440, height: 900 })
  if (/\/bn(\/|$)/.test(page.url())) await navigate(page, address)
  else await open(page, address)
  await expect(page.locator('html')).toHaveAttribute('lang', 'bn')
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await expect(page.getByRole('status', { name: 'লোড হচ্ছে' })).toHaveCount(0)
  // The whole page is on the screen once, so that what loads late is there.
  await resize(page, 1440)
  await expectToFitWithLargeText(page, 1440)
  await expectAccessibleAt(page, 1440, `${name}-bn`)
  await expectToFitAt(page, 390)
  await saveScreenshots(page, `${name}-bn-390`)
  await expectToFitAt(page, 320)
}
