import { localePath } from '#contract/locales.ts'
import {
  expect,
  expectAccessibleAt,
  expectNoSidewaysScroll,
  expectNothingCut,
  expectRoomForLargeText,
  keepPictures,
  open,
  type Page,
  resize,
} from './fixtures.ts'

/**
 * Opens the page in Bangla, and checks that it fits at every width and with text of twice its size, and that it is accessible
 * on a desk in dark colors: English is checked on a phone in light ones (docs/decisions/0090-bangla-and-pseudo-texts.md).
 */
export async function expectBanglaToFit(page: Page, path: string, name: string): Promise<void> {
  await page.setViewportSize({ width: 320, height: 700 })
  await open(page, localePath('bn', path))
  await expect(page.locator('html')).toHaveAttribute('lang', 'bn')
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await expect(page.getByRole('status', { name: 'লোড হচ্ছে' })).toHaveCount(0)
  await expectNoSidewaysScroll(page)
  await expectRoomForLargeText(page)
  for (const width of [390, 1440]) {
    await resize(page, width)
    await expectNoSidewaysScroll(page)
    await expectNothingCut(page)
    if (width === 1440) await expectAccessibleAt(page, width, `${name}-bn`)
    else await keepPictures(page, `${name}-bn-${width}`)
  }
}
