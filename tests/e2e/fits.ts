import { expect, type Page } from '@playwright/test'

type Check = {
  /** The size of the page's text; without it the usual one. */
  size?: '200%'
  /** Whether labels of buttons, links and headings of tables must be whole. */
  labels?: boolean
  /** Whether short words must have room on one line. */
  words?: boolean
}

/** Nothing sticks out to the side, and no label or word is cut, once the page has settled into its width. */
export async function expectToFit(page: Page, check: Check = {}): Promise<void> {
  const message = `what has no room at ${page.viewportSize()?.width} px with text of ${check.size ?? '100%'}`
  await expect
    .poll(() => page.evaluate(findMisfits, check), { message })
    .toEqual({ pixels: 0, labels: [], words: [] })
}

/** The page fits into a width, with text of twice its size too, which has the layout of a phone or of a desk. */
export async function expectToFitAt(page: Page, width: number): Promise<void> {
  await page.setViewportSize({ width, height: 900 })
  await expectToFitWithLargeText(page, width)
}

/** The page fits into its window, with text of twice its size too. */
export async function expectToFitWithLargeText(page: Page, width: number): Promise<void> {
  if (width !== 768) await expectToFit(page, { size: '200%', labels: width === 390, words: width > 320 })
  await expectToFit(page, { labels: width > 320 })
}

/**
 * Sets the size of the page's text and waits until the page has reacted to it and to its width. Returns the pixels that stick out to the right, the labels that are cut or break in
 * a word, and the words of three to eight letters and marks that have no room on one line, besides those that may break
 * anywhere. Runs in the page.
 */
async function findMisfits({ size, labels, words }: Check) {
  const root = document.documentElement
  root.style.fontSize = size ?? ''
  // What observes widths and sizes is called in the first frame.
  for (let frame = 0; frame < 2; frame++) await new Promise(requestAnimationFrame)

  function isCut(label: HTMLElement): boolean {
    const content = document.createRange()
    content.selectNodeContents(label.firstChild ?? label)
    const isOneWord = !/\s/.test(content.toString().trim())
    return (
      (label.scrollWidth > label.clientWidth + 1 && label.clientWidth > 0) ||
      (isOneWord && content.getClientRects().length > 1)
    )
  }
  function cutLabels(): (string | null)[] {
    return [...document.querySelectorAll<HTMLElement>('main :is(.mantine-Button-label, td a, th)')]
      .filter(isCut)
      .map((label) => label.textContent)
  }
  function brokenWords(): string[] {
    const broken: string[] = []
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    const range = document.createRange()
    while (texts.nextNode()) {
      const text = texts.currentNode
      const style = getComputedStyle(text.parentElement as Element)
      if (style.wordBreak === 'break-all' || style.webkitLineClamp !== 'none') continue
      // A text on one line breaks no word.
      range.selectNodeContents(text)
      if (range.getClientRects().length <= 1) continue
      for (const word of text.nodeValue?.matchAll(
        /(?<![\p{L}\p{M}\w@.-])[\p{L}\p{M}]{3,8}(?![\p{L}\p{M}\w@.-])/gu,
      ) ?? []) {
        range.setStart(text, word.index)
        range.setEnd(text, word.index + word[0].length)
        if (new Set([...range.getClientRects()].map(({ top }) => top)).size > 1) broken.push(word[0])
      }
    }
    return broken
  }

  return {
    pixels: Math.max(0, root.scrollWidth - root.clientWidth),
    labels: labels ? cutLabels() : [],
    words: words ? brokenWords() : [],
  }
}
