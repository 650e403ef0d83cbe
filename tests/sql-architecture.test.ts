import assert from 'node:assert/strict'
import { glob, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { before, describe, test } from 'node:test'
import { useDatabase } from './support/database.ts'
import { domainOf, MAY_IMPORT, mayUse, mayWrite, OWNER } from './support/domains.ts'

const ROOT = join(import.meta.dirname, '..')
const DEFINITION = /create or replace function (\w+)/gi
const WRITE = /(?:insert\s+into|update|delete\s+from|truncate(?:\s+table)?|alter\s+table)\s+(\w+)/gi

type Source = { path: string; text: string }

describe('the SQL of the server', () => {
  const db = useDatabase()
  let sources: Source[] = []
  let sqlFiles: Source[] = []
  /** The domain of each SQL function. */
  const domainOfFunction = new Map<string, string>()

  before(async () => {
    const paths = await Array.fromAsync(glob('server/**/*.{ts,sql}', { cwd: ROOT }))
    sources = await Promise.all(
      paths
        .filter((path) => !path.endsWith('.test.ts') && !path.startsWith('server/database/migrations/'))
        .map(async (path) => ({ path, text: withoutComments(await readFile(join(ROOT, path), 'utf8')) })),
    )
    sqlFiles = sources.filter(({ path }) => path.endsWith('.sql'))
    for (const { path, text } of sqlFiles)
      for (const name of functionsIn(text)) domainOfFunction.set(name, domainOf(path))
  })

  test('every function of a .sql file below server/ is installed', async () => {
    const { rows } = await db.database.pool.query<{ proname: string }>(
      `select proname from pg_proc where pronamespace::regnamespace::text = any (current_schemas(false)::text[])`,
    )
    const installed = new Set(rows.map(({ proname }) => proname))
    const ignored = sqlFiles.filter(({ text }) => {
      const names = functionsIn(text)
      return names.length === 0 || names.some((name) => !installed.has(name))
    })
    assert.deepEqual(pathsOf(ignored), [])
  })

  test('a domain calls only the SQL functions of the domains it may import', () => {
    const violations = sources.flatMap(({ path, text }) =>
      callsIn(text, path.endsWith('.ts'))
        .filter((name) => !mayUse(domainOf(path), domainOfFunction.get(name) ?? ''))
        .map((name) => `${path} calls ${name} of ${domainOfFunction.get(name)}`),
    )
    assert.deepEqual(violations, [])
  })

  test('a domain may import only domains that it uses', () => {
    const used = new Set(
      sources.flatMap(({ path, text }) => {
        const imported = Array.from(text.matchAll(/'#server\/([\w-]+)\//g), ([, domain = '']) => domain)
        const called = callsIn(text, path.endsWith('.ts')).map((name) => domainOfFunction.get(name))
        return [...imported, ...called].map((domain) => `${domainOf(path)} ${domain}`)
      }),
    )
    const permitted = Object.entries(MAY_IMPORT).flatMap(([domain, others]) =>
      others.map((other) => `${domain} ${other}`),
    )
    assert.deepEqual(
      permitted.filter((edge) => !used.has(edge)),
      [],
    )
  })

  test('every table has an owner', async () => {
    const { rows } = await db.database.pool.query<{ relname: string }>(
      `select relname from pg_class
        where relkind in ('r', 'p') and not relispartition and relnamespace = current_schema()::regnamespace order by relname`,
    )
    assert.deepEqual(
      rows.map(({ relname }) => relname),
      Object.keys(OWNER).toSorted(),
    )
  })

  test('only its owner writes a table', () => {
    const violations = sources.flatMap(({ path, text }) =>
      Array.from(text.matchAll(WRITE), ([, table = '']) => table.toLowerCase())
        .filter((table) => table in OWNER && !mayWrite(domainOf(path), table))
        .map((table) => `${path} writes ${table}`),
    )
    assert.deepEqual(violations, [])
  })

  /** Returns the known functions that a text calls. In TypeScript `refuse(` is one of its own functions. */
  function callsIn(text: string, isTypeScript: boolean): string[] {
    const calls = text.replace(DEFINITION, '').matchAll(/\b(\w+)\s*\(/g)
    return [...new Set(Array.from(calls, ([, name = '']) => name))].filter(
      (name) => domainOfFunction.has(name) && (!isTypeScript || name.includes('_')),
    )
  }
})

const functionsIn = (text: string) => Array.from(text.matchAll(DEFINITION), ([, name = '']) => name)
const pathsOf = (files: Source[]) => files.map(({ path }) => path)
const withoutComments = (text: string) =>
  text.replace(/--.*$/gm, '').replace(/^\s*(?:\/\/|\*|\/\*\*).*$/gm, '')
