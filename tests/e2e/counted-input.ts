import { readFileSync } from 'node:fs'
import { expect, type Locator } from '@playwright/test'
import type { Page } from './fixtures.ts'

const SCREENS = new URL('../../docs/specification/screens.md', import.meta.url)

/** Returns how many clicks and keys the document says a job takes. */
export function documented(job: string): { clicks: number; keys: number } {
  const row = readFileSync(SCREENS, 'utf8')
    .split('\n')
    .find((line) => line.startsWith(`| ${job} |`))
  const [clicks, keys] = row?.split('|').slice(3).map(Number.parseFloat) ?? []
  if (!clicks || !keys) throw new Error(`${SCREENS.pathname} counts no clicks and keys of: ${job}`)
  return { clicks, keys }
}

/** A mouse and a keyboard that count what they press. Text that is typed into a field is not counted. */
export class CountedInput {
  clicks = 0
  keys = 0
  private readonly page: Page
  constructor(page: Page) {
    this.page = page
  }

  async click(target: Locator): Promise<void> {
    await target.click()
    this.clicks++
  }

  /** Clicks a link of the sidebar and waits for its screen. */
  async openScreen(name: string): Promise<void> {
    const sidebar = this.page.getByRole('navigation', { name: 'Dashboard' })
    await this.click(sidebar.getByRole('link', { name: new RegExp(`^${name}(,|$)`) }))
    await expect(this.page.getByRole('heading', { level: 1 })).not.toHaveText('Profile')
  }

  async press(...keys: string[]): Promise<void> {
    for (const key of keys) {
      await this.page.keyboard.press(key)
      this.keys++
    }
  }

  /** Opens a screen with G and a key, and waits for its heading. */
  async goTo(key: string, heading: string): Promise<void> {
    await expect(this.page.getByRole('link', { name: 'Go to home' })).toBeVisible()
    // The second key counts for a second only: it does not wait until the page has processed the first.
    await Promise.all([this.press('g'), this.press(key)])
    await expect(this.page.getByRole('heading', { level: 1, name: heading })).toBeVisible()
    await expect(this.page.getByRole('main')).toBeFocused()
  }

  /** Presses Tab until this has the focus. */
  async tabTo(target: Locator): Promise<void> {
    await expect(target).toBeEnabled()
    for (let presses = 0; presses < 60; presses++) {
      if (await target.evaluate((element) => element === document.activeElement)) return
      await this.press('Tab')
    }
    throw new Error(`Tab never reaches ${target}`)
  }

  async write(target: Locator, text: string): Promise<void> {
    await this.tabTo(target)
    await this.page.keyboard.type(text)
  }
}
