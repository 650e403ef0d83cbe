import { existsSync } from 'node:fs'
import { startProgram } from '#tests/support/server-process.ts'

/** Starts one program for all browser tests; they find its address in E2E_URL. Answers how to stop it. */
export default async function startForBrowser(): Promise<() => Promise<void>> {
  if (process.env.E2E_URL) return async () => {}
  if (!existsSync('build/client/index.html'))
    throw new Error('There is no web app to test: run `npm run build` first.')
  const program = await startProgram({ env: { DEMO: '1' } })
  process.env.E2E_URL = program.url
  return async () => {
    await program.stop()
  }
}
