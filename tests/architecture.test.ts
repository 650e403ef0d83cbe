import assert from 'node:assert/strict'
import { glob, readFile } from 'node:fs/promises'
import { join, relative, resolve } from 'node:path'
import { test } from 'node:test'
import { domainOf, INFRASTRUCTURE, MAY_IMPORT, mayUse } from './support/domains.ts'

const ROOT = join(import.meta.dirname, '..')

/** Rules about users that routes of several domains apply. */
const SHARED = [
  'server/identity/require-verified-email.ts',
  'server/users/email-visibility.ts',
  'server/users/mask-email.ts',
]

type Import = { from: string; to: string }

async function sources(): Promise<Map<string, string>> {
  const paths = await Array.fromAsync(glob('{contract,server,web,cli}/**/*.{ts,tsx}', { cwd: ROOT }))
  return new Map(
    await Promise.all(paths.map(async (path) => [path, await readFile(join(ROOT, path), 'utf8')] as const)),
  )
}

/** Every import between files of this project, both as paths from its root. */
async function imports(): Promise<Import[]> {
  const found: Import[] = []
  for (const [path, text] of await sources()) {
    for (const [, name = ''] of text.matchAll(/(?:from|import)\s*\(?\s*'([^']+)'/g)) {
      if (name.startsWith('#')) found.push({ from: path, to: name.slice(1) })
      else if (name.startsWith('.'))
        found.push({ from: path, to: relative(ROOT, resolve(ROOT, path, '..', name)) })
    }
  }
  assert.ok(found.length > 100, 'The test reads the imports it judges')
  return found
}

const isTest = (path: string) => /\.test\.tsx?$/.test(path) || path.startsWith('tests/')
const describeImport = ({ from, to }: Import) => `${from} imports ${to}`

test('the contract imports nothing of ours; web, server and cli import only it and themselves', async () => {
  const violations = (await imports()).filter(({ from, to }) => {
    const [part, imported] = [from, to].map((path) => path.split('/')[0])
    return !isTest(from) && imported !== part && (part === 'contract' || imported !== 'contract')
  })
  assert.deepEqual(violations.map(describeImport), [])
})

test('a domain imports only the domains it may; http and database import none', async () => {
  const violations = (await imports()).filter(({ from, to }) => {
    if (isTest(from) || SHARED.includes(to)) return false
    return !mayUse(domainOf(from), domainOf(to))
  })
  assert.deepEqual(violations.map(describeImport), [])
})

test('every folder of the server is a known domain', async () => {
  const domains = new Set(
    (await imports())
      .map(({ from }) => from.match(/^server\/([^/]+)\//)?.[1])
      .filter((name) => name !== undefined),
  )
  const known = new Set([...Object.keys(MAY_IMPORT), ...INFRASTRUCTURE, 'jobs'])
  assert.deepEqual(
    [...domains].filter((domain) => !known.has(domain)),
    [],
  )
})

test('routes import use cases; use cases and queries do not import HTTP', async () => {
  const violations = (await imports()).filter(
    ({ from, to }) =>
      /^server\/.*\/(queries|present)\.ts$/.test(from) && /\/routes\.ts$|^server\/http\/serve/.test(to),
  )
  assert.deepEqual(violations.map(describeImport), [])
})

// A child process is handed the PATH; that is no setting of ours.
const SETTING = /process\.env(?!\.PATH\b)/

test('only config.ts reads the environment', async () => {
  const readers = [...(await sources())].filter(
    ([path, text]) =>
      path.startsWith('server/') && !isTest(path) && path !== 'server/config.ts' && SETTING.test(text),
  )
  assert.deepEqual(
    readers.map(([path]) => path),
    [],
  )
})

test('only server/jobs/pg-boss.ts touches the tables of pg-boss', async () => {
  const files = [...(await sources())].filter(
    ([path, text]) =>
      path.startsWith('server/') && !isTest(path) && /\b(from|join|into|update)\s+jobs\.\w/i.test(text),
  )
  assert.deepEqual(
    files.map(([path]) => path),
    ['server/jobs/pg-boss.ts'],
  )
})

test('the misspellings of the wire stay in the contract, routes and presenters', async () => {
  const spelled = /datails|submiteted|submissoin|\broll\b/
  const others = [...(await sources())].filter(
    ([path, text]) =>
      path.startsWith('server/') &&
      !isTest(path) &&
      !/\/(routes|present)\.ts$/.test(path) &&
      spelled.test(text),
  )
  assert.deepEqual(
    others.map(([path]) => path),
    [],
  )
})
