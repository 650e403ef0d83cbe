import { expect, type Page } from './fixtures.ts'

/** Finds wrongly formatted values: money without cents, other spellings of bKash, dates as programs write them. */
const UNUSUAL = [
  /\$\d[\d,]*(?![\d,])(?!\.\d\d)/,
  /\bB[Kk]ash|BKASH/,
  /\b\d{4}-\d\d-\d\d\b/,
  /\b\d{1,2}\/\d{1,2}\/\d{4}\b/,
]

/** Money, payment systems and days on the page are written as everywhere (docs/specification/screens.md#common), besides code. */
export async function expectUsualFormats(page: Page): Promise<void> {
  const lines = await page.locator('main').evaluate((main) => {
    const copy = main.cloneNode(true) as HTMLElement
    for (const hidden of copy.querySelectorAll(
      '[aria-hidden=true], code, pre, script, style, option, textarea',
    ))
      hidden.remove()
    const texts = document.createTreeWalker(copy, NodeFilter.SHOW_TEXT)
    const found: string[] = []
    while (texts.nextNode()) found.push(texts.currentNode.nodeValue ?? '')
    return found
  })
  expect(lines.filter((line) => UNUSUAL.some((pattern) => pattern.test(line)))).toEqual([])
}
