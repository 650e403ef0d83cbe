import { expect, expectNoSidewaysScroll, type Page } from './fixtures.ts'

/** The widths of a small phone, a phone and a desk. */
const WIDTHS = [320, 390, 1440]

/**
 * Makes every text of the page 40 % longer, with accents, and checks that no label is cut and nothing sticks out
 * (docs/decisions/0090-bangla-and-pseudo-texts.md). The page cannot be used after that.
 */
export async function expectRoomForLongTexts(page: Page): Promise<void> {
  await page.evaluate(lengthenTexts)
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 900 })
    await expectNoSidewaysScroll(page)
    await expectNoLabelCut(page, width)
  }
}

/** Runs in the page. Addresses, numbers and code stay as they are: no translation makes them longer. */
function lengthenTexts(): void {
  const accents: Record<string, string> = {
    a: 'á',
    e: 'ë',
    i: 'ï',
    o: 'ô',
    u: 'ü',
    n: 'ñ',
    c: 'ç',
    A: 'Å',
    E: 'É',
  }
  const lengthened = (word: string) =>
    word.replace(/[aeiouncAE]/g, (letter) => accents[letter] ?? letter) +
    'éóàüï'.repeat(word.length).slice(0, Math.ceil(word.length * 0.4))
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  while (texts.nextNode()) {
    const text = texts.currentNode as Text
    if (text.parentElement?.closest('script, style, code, pre, svg, textarea')) continue
    text.data = text.data.replace(/(?<![\w@:/.-])[A-Za-z]{2,}(?![\w@:/-]|\.\w)/g, lengthened)
  }
}

/** Labels of controls and headings of tables are whole. Text that is shortened on purpose has its whole text as title. */
async function expectNoLabelCut(page: Page, width: number): Promise<void> {
  const cut = () =>
    page.evaluate(() =>
      [
        ...document.querySelectorAll<HTMLElement>(
          'button, .mantine-Button-label, .mantine-Badge-label, [role=tab], nav a, th, label, legend, summary',
        ),
      ]
        .filter((label) => {
          // Inline elements and hidden ones have no width of their own.
          if (label.clientWidth <= 1) return false
          return label.scrollWidth > label.clientWidth + 1 && !label.closest('[title]')
        })
        .map((label) => label.textContent),
    )
  await expect.poll(cut, { message: `labels of longer texts that are cut at ${width} px` }).toEqual([])
}
