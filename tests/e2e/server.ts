import { existsSync } from 'node:fs'
import { startServerProcess } from '#tests/support/server-process.ts'

/** Starts one server for all browser tests; its URL is in E2E_URL, its data in E2E_DATA_DIR. Returns a function that stops it. */
export default async function startForBrowser(): Promise<() => Promise<void>> {
  if (process.env.E2E_URL) return async () => {}
  if (!existsSync('build/client/index.html'))
    throw new Error('There is no web app to test: run `npm run build` first.')
  const server = await startServerProcess({ env: { DEMO: '1' } })
  process.env.E2E_URL = server.url
  process.env.E2E_DATA_DIR = server.dataDir
  return async () => {
    await server.stop()
  }
}
