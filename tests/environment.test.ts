import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'

const ROOT = join(import.meta.dirname, '..')

test('the README lists every setting that the server reads, and no other', async () => {
  const config = await readFile(join(ROOT, 'server', 'config.ts'), 'utf8')
  const readme = await readFile(join(ROOT, 'README.md'), 'utf8')
  const read = [...config.matchAll(/^ {2}([A-Z][A-Z_]+): /gm)].map(([, name]) => String(name))
  const table = readme.slice(readme.indexOf('<!-- settings -->'), readme.indexOf('<!-- /settings -->'))
  const listed = [...table.matchAll(/^\| `([A-Z_]+)`/gm)].map(([, name]) => String(name))
  assert.ok(read.length > 30)
  assert.deepEqual(listed.toSorted(), read.toSorted())
})
