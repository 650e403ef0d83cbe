import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { BUILD_REVISION } from '#contract/site.ts'
import { buildServiceWorker } from './service-worker.ts'

const [SHELL, OFFLINE_PAGE] = ['/bn/__spa-fallback.html', '/bn/offline.html']

/** Builds the service worker of Bangla, without scripts, and returns it. */
async function build(t: TestContext): Promise<string> {
  const client = mkdtempSync(join(tmpdir(), 'tallywork-client-'))
  t.after(() => rmSync(client, { recursive: true, force: true }))
  mkdirSync(join(client, 'bn'))
  for (const page of [SHELL, OFFLINE_PAGE]) writeFileSync(join(client, page), '<title>A page</title>')
  await buildServiceWorker(client, 'bn', {}, [])
  return readFileSync(join(client, 'bn', 'service-worker.js'), 'utf8')
}

test('the revisions of pages are what the server replaces by its own', async (t) => {
  const script = await build(t)
  for (const page of [SHELL, OFFLINE_PAGE])
    assert.equal(new RegExp(`url:.${page}.,revision:.([^\`"']+)`).exec(script)?.[1], BUILD_REVISION)
})
