import assert from 'node:assert/strict'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { ENDPOINTS } from '#contract/api.ts'
import { openApi } from '#server/api-docs/openapi.ts'

const SNAPSHOT = join(import.meta.dirname, 'openapi.snap.json')

test('the published wire is what the snapshot says; a change of contract is a visible diff', async () => {
  const now = `${JSON.stringify(openApi('Tallywork'), null, 2)}\n`
  if (process.env.UPDATE_SNAPSHOT === '1') await writeFile(SNAPSHOT, now)
  const locked = await readFile(SNAPSHOT, 'utf8')
  assert.equal(
    now,
    locked,
    'The contract changed. If it was meant: UPDATE_SNAPSHOT=1 npm test -- tests/openapi.test.ts',
  )
})

test('no two endpoints share a method and path, and every one says who may call', () => {
  const calls = ENDPOINTS.map(
    ({ endpoint }) => `${endpoint.method} ${endpoint.path.replaceAll(/:\w+/g, ':')}`,
  )
  assert.equal(new Set(calls).size, calls.length)
  for (const { endpoint, name } of ENDPOINTS) assert.ok(endpoint.access.who.length > 0, name)
})

test('docs/specification/api.md lists the limits of every write', async () => {
  const page = await readFile(join(import.meta.dirname, '../docs/specification/api.md'), 'utf8')
  const section = page.split('\n## Limits of writes\n')[1]?.split('\n## ')[0] ?? ''
  const listed = section.split('\n').filter((line) => line.startsWith('| `'))
  const rows = ENDPOINTS.flatMap(({ endpoint: { method, path, limit } }) => {
    if (limit === undefined) return []
    const numbers = [limit.perUser, limit.perNetwork].map((perHour) => perHour?.toLocaleString('en') ?? '–')
    return [`| \`${method} ${path.replaceAll(/:(\w+)/g, '{$1}')}\` | ${numbers.join(' | ')} |`]
  })
  assert.deepEqual(listed.toSorted(), rows.toSorted())
})
