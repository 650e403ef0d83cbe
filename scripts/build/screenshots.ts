import { mkdir } from 'node:fs/promises'
import { type BrowserContext, chromium } from '@playwright/test'
import sharp from 'sharp'
import { DEFAULT_LOCALE, LOCALES, type Locale, localePath } from '#contract/locales.ts'
import { findBrowser } from '#tests/support/browser.ts'
import { startServerProcess } from '#tests/support/server-process.ts'

/*
 * Takes the screenshots that browsers show when they offer to install the app: the manifest of each language lists them. Run by
 * hand when these screens change, after `npm run build`: `node scripts/build/screenshots.ts`. The results are kept in the
 * repository; tests/languages/manifest.test.ts checks them.
 */
const NARROW = { width: 390, height: 844, scale: 2 }
const WIDE = { width: 1280, height: 800, scale: 1 }
const SHOTS = [
  { name: 'tasks-narrow', path: '/dashboard/available-task', window: NARROW },
  { name: 'dashboard-narrow', path: '/dashboard', window: NARROW },
  { name: 'tasks-wide', path: '/dashboard/available-task', window: WIDE },
]

const server = await startServerProcess({ env: { DEMO: '1' } })
const browser = await chromium.launch(await findBrowser(console.log))
try {
  for (const locale of LOCALES) for (const shot of SHOTS) await take(locale, shot)
} finally {
  await browser.close()
  await server.stop()
}

async function take(locale: Locale, { name, path, window }: (typeof SHOTS)[number]): Promise<void> {
  const { width, height, scale } = window
  const context = await browser.newContext({
    baseURL: server.url,
    viewport: { width, height },
    deviceScaleFactor: scale,
    colorScheme: 'light',
    serviceWorkers: 'block',
    locale: locale === DEFAULT_LOCALE ? 'en-GB' : locale,
    timezoneId: 'Asia/Dhaka',
  })
  await enter(context)
  const page = await context.newPage()
  await page.goto(localePath(locale, path))
  await page.getByRole('heading', { level: 1 }).waitFor()
  await page.waitForFunction(() => {
    const pictures = [...document.images].filter(({ loading }) => loading !== 'lazy')
    const isLoading = document.querySelector('[aria-busy=true], .animate-pulse') !== null
    return !isLoading && pictures.every(({ complete }) => complete)
  })
  await page.evaluate(() => document.fonts.ready)
  const picture = await page.screenshot({ animations: 'disabled' })
  const folder = locale === DEFAULT_LOCALE ? 'web/public' : `web/locales/${locale}/public`
  await mkdir(`${folder}/screenshots`, { recursive: true })
  const { size } = await sharp(picture)
    .webp({ quality: 60, effort: 6 })
    .toFile(`${folder}/screenshots/${name}.webp`)
  console.log(`${folder}/screenshots/${name}.webp: ${(size / 1000).toFixed(1)} KB`)
  await context.close()
}

/** Signs in as the demo's worker. */
async function enter(context: BrowserContext): Promise<void> {
  const response = await context.request.post('/api/demo/try-as', {
    data: { role: 'Worker' },
    headers: { origin: new URL(server.url).origin },
  })
  if (!response.ok()) throw new Error(await response.text())
}
