import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { runInNewContext } from 'node:vm'
import { BUILD_REVISION, REVISION_HEADER } from '#contract/site.ts'
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

/** Installs a service worker whose requests all have this response, and returns the paths of what it keeps. */
async function install(script: string, response: () => Response): Promise<string[]> {
  const kept: string[] = []
  const onInstall: ((event: object) => unknown)[] = []
  const installing: Promise<unknown>[] = []
  const worker = {
    Request,
    URL,
    FetchEvent: class {},
    setTimeout,
    location: new URL('https://work.example/bn/service-worker.js'),
    fetch: async () => response(),
    caches: {
      match: async () => undefined,
      open: async () => ({ put: async ({ url }: Request) => kept.push(new URL(url).pathname) }),
    },
    skipWaiting: async () => {},
    addEventListener: (type: string, listener: (event: object) => unknown) => {
      if (type === 'install') onInstall.push(listener)
    },
  }
  runInNewContext(script, Object.assign(worker, { self: worker }))
  const event = { type: 'install', waitUntil: (work: Promise<unknown>) => installing.push(work) }
  for (const listener of onInstall) void listener(event)
  await Promise.all(installing)
  return kept
}

test('a page is kept if it has the revision of the service worker; another one fails the installation', async (t) => {
  const script = (await build(t)).replaceAll(BUILD_REVISION, 'new')
  const page =
    (revision: string, status = 200) =>
    () =>
      new Response('<title>A page</title>', { status, headers: { [REVISION_HEADER]: revision } })
  assert.deepEqual(await install(script, page('new')), [SHELL, OFFLINE_PAGE])
  for (const other of [page('old'), page('new', 404), () => new Response('<title>A page</title>')])
    await assert.rejects(install(script, other), { name: 'bad-precaching-response' })
})
