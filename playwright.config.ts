import { defineConfig } from '@playwright/test'
import { findBrowser } from '#tests/support/browser.ts'
import { CEILING_MS } from '#tests/support/eventually.ts'
import { runsLongTests } from '#tests/support/long.ts'

const SCREENS = /-screens\.spec\.ts$/
const LONG = /\.long\.spec\.ts$/

/** The screens in a real browser, over the real server with its demo world (tests/e2e/server.ts starts it). */
export default defineConfig({
  testDir: 'tests/e2e',
  outputDir: 'test-output/browser',
  globalSetup: './tests/e2e/server.ts',
  fullyParallel: true,
  workers: 2,
  // A test waits for what it expects, not for time: these end only what never happens.
  timeout: 3 * CEILING_MS,
  expect: { timeout: CEILING_MS },
  maxFailures: 10,
  // The screens come last: they are many and short, and end on all workers at about the same time.
  projects: [
    { name: 'stories', testIgnore: runsLongTests() ? SCREENS : [SCREENS, LONG] },
    { name: 'screens', testMatch: SCREENS },
  ],
  reporter: 'line',
  forbidOnly: true,
  use: {
    launchOptions: await findBrowser(),
    screenshot: 'only-on-failure',
    viewport: { width: 1440, height: 900 },
    locale: 'en-GB',
    timezoneId: 'Asia/Dhaka',
    // Routes of a test do not match requests of a service worker.
    contextOptions: { serviceWorkers: 'block' },
  },
})
