import type { Page } from '@playwright/test'

/**
 * Waits for a message that is shown for some seconds only. The page itself looks for it, in each of its frames: a check from
 * outside may come too late. Call it before the action that shows the message.
 */
export async function shown(page: Page, text: string): Promise<void> {
  await page.waitForFunction(
    (text) =>
      [...document.querySelectorAll('[role=status], [role=alert], [role=dialog]')].some((message) =>
        message.textContent?.includes(text),
      ),
    text,
  )
}

/**
 * Stops the date of a page that is opened afterwards, but neither its timers nor the time of its events. Decisions on submissions
 * can then be undone, and are not sent, until the test sends them or leaves the page: their six seconds never end.
 */
export async function keepDecisionsOpen(page: Page): Promise<void> {
  await page.clock.setFixedTime(Date.now())
}

/**
 * Lets the time pass in which another click on the same place is part of a double click, for a page with `keepDecisionsOpen`:
 * its events get later times, and the time of its decisions stays.
 */
export async function endDoubleClick(page: Page): Promise<void> {
  await page.clock.fastForward(1000)
}

/**
 * Stops the time of all later events and timers of a page with `keepDecisionsOpen`: two clicks are a double click, however long a
 * busy machine takes for them.
 */
export async function stopEventTime(page: Page): Promise<void> {
  const now = await page.evaluate(() => Date.now())
  await page.clock.pauseAt(now + 1)
}

/**
 * Holds back the scripts of a page that is opened afterwards, as a slow connection does, until the returned function is called.
 */
export async function holdScripts(page: Page): Promise<() => void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  await page.route('**/assets/*.js', async (route) => {
    await promise
    // The request of a page that was left meanwhile has been cancelled.
    await route.continue().catch(() => {})
  })
  return resolve
}

/** Waits until everything that the page prefetches has arrived, the script of the screen among it. */
export async function prefetched(page: Page, screen: string): Promise<void> {
  await page.waitForFunction((screen) => {
    const arrived = new Set(performance.getEntriesByType('resource').map((entry) => entry.name))
    const ahead = [...document.querySelectorAll<HTMLLinkElement>('head link[rel=modulepreload]')]
    return (
      ahead.some(({ href }) => href.includes(`/${screen}-`)) && ahead.every(({ href }) => arrived.has(href))
    )
  }, screen)
}
