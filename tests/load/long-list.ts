// Measures scroll and input latency of a long task list on a phone four times slower than this machine.
//
//   node tests/load/long-list.ts [--rows 2000] [--slower 4] [--folder …]
//
// Rows are loaded page by page, as a user does. At each size: what a press on "Load more" and on a switch takes
// until the screen shows it (event timing, in steps of 8 ms), and how long frames are while the list is scrolled.
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { chromium, type Page } from '@playwright/test'
import { startEmbedded } from '#server/database/embedded/launcher.ts'
import { findBrowser } from '#tests/support/browser.ts'
import { at, median } from './drive/percentile.ts'
import { productionEnv, start } from './server.ts'
import { folderFor, freshWorld } from './world/build.ts'

const PORT = 4940
const TASKS = 10_000

const { values } = parseArgs({
  options: {
    rows: { type: 'string', default: '2000' },
    slower: { type: 'string', default: '4' },
    folder: { type: 'string', default: folderFor(TASKS) },
  },
})
const most = Number(values.rows)

const embedded = await startEmbedded({ dataDir: values.folder, log: () => {} })
const { url } = await freshWorld(embedded.connectionString, TASKS, 1000, console.log)
const server = await start(['server/main.ts'], PORT, productionEnv(url, join(values.folder, 'server'), PORT))
const browser = await chromium.launch(await findBrowser(console.log))
try {
  const page = await browser.newPage({ viewport: { width: 390, height: 844 } })
  const devtools = await page.context().newCDPSession(page)
  await page.addInitScript(() => {
    const events: number[] = []
    Object.assign(window, { events })
    new PerformanceObserver((list) => {
      for (const { name, duration } of list.getEntries())
        if (name === 'click' || name === 'keydown') events.push(duration)
    }).observe({ type: 'event', durationThreshold: 16 } as PerformanceObserverInit)
  })
  await page.goto(`http://localhost:${PORT}/all-task`)
  await page.getByRole('button', { name: 'Load more' }).waitFor()
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: Number(values.slower) })
  for (const size of [20, 100, 500, 1000, most].filter((size) => size <= most)) {
    const presses = await loadUntil(page, size)
    const switched = await timesOf(page, () =>
      page.getByRole('button', { name: 'Switch between light and dark' }).click(),
    )
    const { frames, nodes } = await scrolled(page)
    console.log(
      `${size} rows, ${nodes} elements: ` +
        `load more ${median(presses)} ms (longest ${Math.max(0, ...presses)}), switch ${Math.max(0, ...switched)} ms, ` +
        `frames ${median(frames)} ms (19 of 20 within ${at(frames, 0.95)}, longest ${at(frames, 1)})`,
    )
  }
  const typed = await timesOf(page, () =>
    page.getByRole('searchbox').pressSequentially('rare', { delay: 150 }),
  )
  console.log(
    `typing into the search above them: ${median(typed)} ms a key (longest ${Math.max(0, ...typed)})`,
  )
} finally {
  await browser.close()
  await server.stop()
  await embedded.stop()
}

/** Presses "Load more" until there are N rows. Returns the time from each press to the next paint. */
function loadUntil(page: Page, size: number): Promise<number[]> {
  const rows = page.getByRole('list', { name: 'Tasks' }).getByRole('listitem')
  return timesOf(page, async () => {
    for (let there = await rows.count(); there < size; ) {
      await page.getByRole('button', { name: 'Load more' }).click()
      while ((await rows.count()) === there) await page.waitForTimeout(20)
      there = await rows.count()
    }
  })
}

async function timesOf(page: Page, work: () => Promise<unknown>): Promise<number[]> {
  await page.evaluate('events.length = 0')
  await work()
  await page.waitForTimeout(500)
  return page.evaluate('[...events]')
}

/** Scrolls up from the end by a hundred wheel events of half a screen. Returns the times between frames. */
async function scrolled(page: Page): Promise<{ frames: number[]; nodes: number }> {
  await page.evaluate(() => window.scrollTo(0, document.documentElement.scrollHeight))
  await page.evaluate(() => {
    const frames: number[] = []
    Object.assign(window, { frames })
    let last = performance.now()
    const frame = (now: number) => {
      frames.push(now - last)
      last = now
      requestAnimationFrame(frame)
    }
    requestAnimationFrame(frame)
  })
  await page.mouse.move(195, 400)
  for (let turn = 0; turn < 100; turn++) await page.mouse.wheel(0, -400)
  const frames = await page.evaluate<number[]>('frames.splice(0)')
  return { frames: frames.map(Math.round), nodes: await page.locator('*').count() }
}
