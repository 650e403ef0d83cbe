import assert from 'node:assert/strict'
import { glob, readFile } from 'node:fs/promises'
import { join, relative, resolve } from 'node:path'
import { test } from 'node:test'

const ROOT = join(import.meta.dirname, '..')

/**
 * Which domain of the server may import which (docs/architecture.md). Every domain may use INFRASTRUCTURE and the files
 * directly in server/. `jobs` runs the domains' background work and may import all.
 */
const MAY_IMPORT: Record<string, readonly string[]> = {
  ledger: [],
  notifications: [],
  images: [],
  mail: ['notifications'],
  stats: [],
  contact: [],
  'admin-audit-log': [],
  backup: ['ledger'],
  tasks: ['ledger', 'notifications'],
  payments: ['ledger', 'notifications'],
  withdrawals: ['ledger', 'notifications'],
  submissions: ['tasks', 'ledger', 'notifications'],
  users: ['ledger', 'notifications', 'tasks', 'submissions', 'withdrawals'],
  identity: ['users', 'mail'],
  site: ['identity'],
  monitoring: ['ledger', 'jobs'],
  demo: ['users', 'tasks', 'submissions', 'identity', 'withdrawals', 'payments'],
}
/** May be imported by every domain; imports none. */
const INFRASTRUCTURE = ['database', 'http']

/** Rules about users that routes of several domains apply. */
const SHARED = [
  'server/identity/require-verified-email.ts',
  'server/users/email-visibility.ts',
  'server/users/mask-email.ts',
]

type Import = { from: string; to: string }

async function sources(): Promise<Map<string, string>> {
  const paths = await Array.fromAsync(glob('{contract,server,web}/**/*.{ts,tsx}', { cwd: ROOT }))
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

test('the contract imports nothing of ours, and web and server never import each other', async () => {
  const trespasses = (await imports()).filter(({ from, to }) => {
    if (isTest(from)) return false
    if (from.startsWith('contract/')) return !to.startsWith('contract/')
    if (from.startsWith('server/')) return to.startsWith('web/')
    return to.startsWith('server/')
  })
  assert.deepEqual(trespasses.map(describeImport), [])
})

test('a domain imports only the domains it may; http and database import none', async () => {
  const trespasses = (await imports()).filter(({ from, to }) => {
    const [, domain = ''] = from.match(/^server\/([^/]+)\//) ?? []
    const [, other = ''] = to.match(/^server\/([^/]+)\//) ?? []
    if (isTest(from) || domain === '' || other === '' || other === domain || SHARED.includes(to)) return false
    if (INFRASTRUCTURE.includes(other) || domain === 'jobs') return false
    return !(MAY_IMPORT[domain] ?? []).includes(other)
  })
  assert.deepEqual(trespasses.map(describeImport), [])
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
  const trespasses = (await imports()).filter(
    ({ from, to }) =>
      /^server\/.*\/(queries|present)\.ts$/.test(from) && /\/routes\.ts$|^server\/http\/serve/.test(to),
  )
  assert.deepEqual(trespasses.map(describeImport), [])
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

test('only the ledger writes to the ledger', async () => {
  const files = await Array.fromAsync(glob('server/**/*.{ts,sql}', { cwd: ROOT }))
  const writers: string[] = []
  for (const path of files) {
    if (path.startsWith('server/ledger/') || path.startsWith('server/database/migrations/') || isTest(path))
      continue
    const text = await readFile(join(ROOT, path), 'utf8')
    if (/(insert\s+into|update|delete\s+from|truncate|alter\s+table)\s+ledger_/i.test(text))
      writers.push(path)
  }
  assert.deepEqual(writers, [])
})

/** Which domain owns which table: only its files write it (docs/architecture.md). */
const OWNER: Record<string, string> = {
  identities: 'identity',
  sessions: 'identity',
  signing_keys: 'identity',
  identity_links: 'identity',
  identity_tokens: 'identity',
  openid_attempts: 'identity',
  rate_limits: 'http',
  idempotency_keys: 'http',
  users: 'users',
  tasks: 'tasks',
  search_terms: 'tasks',
  submissions: 'submissions',
  withdrawals: 'withdrawals',
  contact_messages: 'contact',
  admin_audit_log: 'admin-audit-log',
}

test('a table is written by the domain that owns it', async () => {
  const files = await Array.fromAsync(glob('server/**/*.{ts,sql}', { cwd: ROOT }))
  const trespasses: string[] = []
  for (const path of files) {
    const [, domain = ''] = path.match(/^server\/([^/]+)\//) ?? []
    if (isTest(path) || domain === 'database' || domain === 'demo') continue
    const text = await readFile(join(ROOT, path), 'utf8')
    for (const [, table = ''] of text.matchAll(/(?:insert\s+into|update|delete\s+from)\s+([a-z_]+)/gi)) {
      const owner = OWNER[table]
      if (owner !== undefined && owner !== domain) trespasses.push(`${path} writes ${table}`)
    }
  }
  assert.deepEqual(trespasses, [])
})

test('the misspellings of the wire stay in the contract, routes and presenters', async () => {
  const spelled = /datails|submiteted|submissoin|\broll\b/
  const strangers = [...(await sources())].filter(
    ([path, text]) =>
      path.startsWith('server/') &&
      !isTest(path) &&
      !/\/(routes|present)\.ts$/.test(path) &&
      spelled.test(text),
  )
  assert.deepEqual(
    strangers.map(([path]) => path),
    [],
  )
})
