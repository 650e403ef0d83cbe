import { readFile, writeFile } from 'node:fs/promises'
import { chromium } from '@playwright/test'
import sharp from 'sharp'

/**
 * Draws the picture that a shared link shows. Run by hand when the words or the logo change:
 * `CHROME_PATH=/usr/bin/chromium node scripts/build/social.mjs`. The result is kept in the repository.
 */
const font = (await readFile('web/fonts/figtree-ascii.woff2')).toString('base64')
const logo = await readFile('web/public/favicon.svg', 'utf8')
const page = `<!doctype html><style>
@font-face { font-family: Figtree; font-weight: 300 900; src: url(data:font/woff2;base64,${font}) }
body { margin: 0; width: 1200px; height: 630px; box-sizing: border-box; padding: 84px 90px; font-family: Figtree; color: #1b2421;
  background: radial-gradient(900px 600px at 95% -10%, #c9efe0, transparent 70%), radial-gradient(560px 420px at 0% 110%, #fdf0cf, transparent 70%), #f6f8f7 }
header { display: flex; align-items: center; gap: 24px; font-size: 44px; font-weight: 750; letter-spacing: -.03em }
header svg { width: 76px }
h1 { margin: 74px 0 0; font-size: 96px; line-height: 1.04; letter-spacing: -.035em; font-weight: 780 } b { color: #0c6a4b; font-weight: 780 }
p { margin: 34px 0 0; font-size: 34px; color: #53615b }
</style><header>${logo}Tallywork</header><h1>Small tasks,<br><b>paid in coins</b></h1><p>Post a task. Approve the work. Coins move.</p>`

const browser = await chromium.launch({ executablePath: process.env.CHROME_PATH, args: ['--no-sandbox'] })
const tab = await browser.newPage({ viewport: { width: 1200, height: 630 } })
await tab.setContent(page)
await tab.evaluate(() => document.fonts.ready)
const picture = await tab.screenshot()
await browser.close()
await writeFile(
  'web/public/social.png',
  await sharp(picture).png({ palette: true, compressionLevel: 9 }).toBuffer(),
)
