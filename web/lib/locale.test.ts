import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pathIn } from '#web/lib/locale.ts'

test('a link to the page in another language stays on this site', () => {
  assert.equal(pathIn('en', '//evil.example/tasks/'), '/evil.example/tasks')
  assert.equal(pathIn('bn', '//evil.example'), '/bn/evil.example')
  assert.deepEqual([pathIn('en', '/'), pathIn('bn', '/'), pathIn('bn', '/login/')], ['/', '/bn', '/bn/login'])
})
