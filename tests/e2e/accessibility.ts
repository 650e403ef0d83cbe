import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { AxeBuilder } from '@axe-core/playwright'
import { expect, type Page } from '@playwright/test'

type Axe = {
  configure(spec: object): void
  run(context: Document, options: object): ReturnType<AxeBuilder['analyze']>
}

type RunOnly = { type: 'tag' | 'rule'; values: string[] }

const WCAG = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']
const CONTRAST = 'color-contrast'
/** The script that the builder would inject, as small as it comes. The builder also runs a rule on the whole page for it. */
const AXE = readFileSync(
  createRequire(createRequire(import.meta.url).resolve('@axe-core/playwright')).resolve(
    'axe-core/axe.min.js',
  ),
  'utf8',
)
/** Marks the elements whose contrast is checked. */
const MARK = 'data-contrast'

/** Hashes of the texts whose contrast this process has checked (docs/decisions/0098-parts-side-by-side.md). */
const checkedTexts = new Set<number>()

/**
 * Fails if the page breaks a rule of WCAG 2.2 AA. The contrast of texts that look like one of an earlier page is not
 * measured again.
 */
export async function expectAccessible(page: Page): Promise<void> {
  await expectNoViolations(page, { type: 'tag', values: WCAG })
}

/** Fails if a text of the page has too little contrast: all that depends on the color scheme of a page that is accessible in another. */
export async function expectContrast(page: Page): Promise<void> {
  await expectNoViolations(page, { type: 'rule', values: [CONTRAST] })
}

/** What changes while axe looks, as by a live update, is looked at again. */
async function expectNoViolations(page: Page, runOnly: RunOnly): Promise<void> {
  let texts: number[] = []
  const violations = async () => {
    await waitForAnimations(page)
    if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(AXE)
    texts = await page.evaluate(markTexts, { mark: MARK, checked: [...checkedTexts] })
    return page.evaluate(
      async ({ runOnly, contrast, mark }) => {
        const { axe } = window as unknown as { axe: Axe }
        axe.configure({ rules: [{ id: contrast, selector: `[${mark}]` }] })
        const { violations } = await axe.run(document, { runOnly, resultTypes: ['violations'] })
        return violations.map(({ id, help, nodes }) => ({
          id,
          help,
          where: nodes.map((node) => node.html).slice(0, 3),
        }))
      },
      { runOnly, contrast: CONTRAST, mark: MARK },
    )
  }
  await expect.poll(violations, 'what axe found').toEqual([])
  for (const text of texts) checkedTexts.add(text)
}

/**
 * Marks one element for each look of a text that has not been checked, and returns hashes of these looks. A look is all
 * that contrast depends on: the colors, size and weight of the text and the backgrounds of what contains it. Tags,
 * classes and states are part of it for what lies behind a text without containing it. Runs in the page.
 */
function markTexts({ mark, checked }: { mark: string; checked: number[] }): number[] {
  for (const element of document.querySelectorAll(`[${mark}]`)) element.removeAttribute(mark)
  const known = new Set(checked)
  const found: number[] = []
  const looks = new Map<Element, string>()

  const lookOf = (element: Element): string => {
    const cached = looks.get(element)
    if (cached !== undefined) return cached
    const { backgroundColor, backgroundImage, opacity, filter } = getComputedStyle(element)
    const states = [...element.attributes].filter(({ name }) =>
      /^data-|^aria-(current|selected|checked|pressed|expanded|disabled|invalid)$|^(disabled|readonly)$/.test(
        name,
      ),
    )
    const own = [element.tagName, element.getAttribute('class')]
      .concat(states.map(({ name, value }) => `${name}=${value}`))
      .concat(backgroundColor, backgroundImage, opacity, filter)
    const parent = element.parentElement
    const look = `${parent && parent !== document.documentElement ? lookOf(parent) : ''}/${own}`
    looks.set(element, look)
    return look
  }
  const hash = (text: string): number => {
    let high = 0xdeadbeef
    let low = 0x41c6ce57
    for (let index = 0; index < text.length; index++) {
      const code = text.charCodeAt(index)
      high = Math.imul(high ^ code, 2654435761)
      low = Math.imul(low ^ code, 1597334677)
    }
    return (high >>> 0) * 2 ** 20 + ((low >>> 0) % 2 ** 20)
  }

  for (const element of document.querySelectorAll('body, body *')) {
    const hasText = [...element.childNodes].some(
      ({ nodeType, nodeValue }) => nodeType === Node.TEXT_NODE && nodeValue?.trim(),
    )
    if (!hasText && !element.matches('input, select, textarea')) continue
    const { color, fontSize, fontWeight, textShadow } = getComputedStyle(element)
    const look = hash([lookOf(element), color, fontSize, fontWeight, textShadow].join())
    if (known.has(look)) continue
    known.add(look)
    found.push(look)
    element.setAttribute(mark, '')
  }
  return found
}

/** What is half faded in has half its contrast: waits until nothing that ends is moving, four times in a row. */
async function waitForAnimations(page: Page): Promise<void> {
  await page.waitForFunction(
    () => {
      const { dataset } = document.documentElement
      const isMoving = document
        .getAnimations()
        .some(
          ({ effect, playState }) => playState === 'running' && effect?.getTiming().iterations !== Infinity,
        )
      const still = isMoving ? 0 : Number(dataset.still ?? 0) + 1
      dataset.still = String(still % 4)
      return still === 4
    },
    undefined,
    { polling: 20 },
  )
}
