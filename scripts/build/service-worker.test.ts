import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { BUILD_NAME } from '#contract/site.ts'
import { buildServiceWorker } from './service-worker.ts'

test('the revisions of pages change with the page, and have a place for what the server puts into it', async (t) => {
  const client = mkdtempSync(join(tmpdir(), 'tallywork-client-'))
  t.after(() => rmSync(client, { recursive: true, force: true }))
  mkdirSync(join(client, 'bn'))
  const revisionsOf = async (shell: string) => {
    writeFileSync(join(client, 'bn', '__spa-fallback.html'), shell)
    writeFileSync(join(client, 'bn', 'offline.html'), '<title>Offline</title>')
    await buildServiceWorker(client, 'bn', {}, [])
    const script = readFileSync(join(client, 'bn', 'service-worker.js'), 'utf8')
    return ['__spa-fallback', 'offline'].map(
      (page) => new RegExp(`url:.\\/bn\\/${page}\\.html.,revision:.([^\`"']+)`).exec(script)?.[1] ?? '',
    )
  }
  const [first, second] = [await revisionsOf('<p>One</p>'), await revisionsOf('<p>Two</p>')]
  for (const revision of [...first, ...second])
    assert.match(revision, new RegExp(`^[0-9a-f]{12}-${BUILD_NAME.replaceAll('.', '\\.')}$`))
  assert.notEqual(first[0], second[0])
  assert.equal(first[1], second[1])
})
