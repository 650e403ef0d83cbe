import { mkdir, writeFile } from 'node:fs/promises'
import { chromium } from '@playwright/test'
import lighthouse from 'lighthouse'
import { findBrowser } from '#tests/support/browser.ts'
import { freePort, startProgram } from '#tests/support/server-process.ts'

/**
 * Lighthouse's mobile preset on the public pages of the built app, some of them in Bangla too, as strangers get it. Prints the scores and what
 * moved them, keeps the reports in test-output/lighthouse, and fails where a score is below 100. On a busy machine
 * performance depends on luck: there the largest paint, the shift and the byte budgets of the build decide.
 *
 *   npm run build && npm run lighthouse [path …]
 */
const PAGES = ['/', '/all-worker', '/all-task', '/login', '/sign-up', '/bn', '/bn/all-task', '/bn/login']
const CATEGORIES = ['performance', 'accessibility', 'best-practices', 'seo']

const asked = process.argv.slice(2)
const program = await startProgram({ env: { DEMO: '1' } })
const port = await freePort()
const { executablePath, args, env } = await findBrowser(console.log)
const browser = await chromium.launch({
  executablePath,
  env,
  args: [...args, `--remote-debugging-port=${port}`],
})
await mkdir('test-output/lighthouse', { recursive: true })
let below = 0
try {
  for (const path of asked.length > 0 ? asked : PAGES) below += await judge(path)
} finally {
  await browser.close()
  await program.stop()
}
process.exitCode = below > 0 ? 1 : 0

/** Returns how many of the page's scores are below 100. */
async function judge(path: string): Promise<number> {
  const result = await lighthouse(program.url + path, { port, output: 'html', onlyCategories: CATEGORIES })
  if (result === undefined) throw new Error(`Lighthouse had nothing to say of ${path}`)
  const { categories, audits } = result.lhr
  const scores = CATEGORIES.map((name) => Math.round((categories[name]?.score ?? 0) * 100))
  const shown = (name: string) => audits[name]?.displayValue ?? '?'
  console.log(
    `${path}: ${CATEGORIES.map((name, index) => `${name} ${scores[index]}`).join(', ')} ` +
      `(largest paint ${shown('largest-contentful-paint')}, blocking ${shown('total-blocking-time')}, ` +
      `shift ${shown('cumulative-layout-shift')})`,
  )
  for (const audit of Object.values(audits)) {
    if (audit.score !== null && audit.score < 0.9 && audit.scoreDisplayMode !== 'informative') {
      console.log(`    ${audit.id}: ${audit.displayValue ?? audit.title}`)
    }
  }
  await writeFile(
    `test-output/lighthouse/${path.slice(1).replaceAll('/', '-') || 'home'}.html`,
    String(result.report),
  )
  return scores.filter((score) => score < 100).length
}
