import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { linksOf } from './sidebar-links.ts'

const ROOT = join(import.meta.dirname, '../../..')
const NAME = String.raw`[A-Z]\w+(?: [A-Z]\w+)*`

/** Returns what the group of a pattern matches in these files. */
function namesIn(files: string, pattern: RegExp): string[] {
  return globSync(files, { cwd: ROOT }).flatMap((file) =>
    [...readFileSync(join(ROOT, file), 'utf8').matchAll(pattern)].map(([, name = '']) => name),
  )
}

test('alerts and the documentation of operators name screens as the sidebar does', () => {
  const listed = new Set(linksOf('Admin').map(({ label }) => label))
  const named = namesIn('docs/**/*.{md,yml}', new RegExp(`Admin → (${NAME}(?:, ${NAME})*)`, 'g'))
  assert.ok(named.length > 10)
  for (const name of named.flatMap((names) => names.split(', '))) assert.ok(listed.has(name), name)
})

test('the guides of the API name screens as the sidebar does', () => {
  const named = namesIn('server/api-docs/guides/*.md', /\bopen \*\*([^*]+)\*\* in the dashboard/g)
  assert.ok(named.length > 0)
  for (const role of ['Buyer', 'Worker'] as const) {
    const listed = new Set(linksOf(role).map(({ label }) => label))
    for (const name of named) assert.ok(listed.has(name), name)
  }
})
