import assert from 'node:assert/strict'
import { test } from 'node:test'
import { matchColumns } from './column-match.ts'

test('a column matches whose name differs in case, spaces, dashes or the Unicode form', () => {
  const needed = ['Shop name', 'বা\u09dcি', 'city']
  assert.deepEqual(matchColumns(needed, ['বা\u09a1\u09bcি', 'shop-NAME', 'town']), {
    'Shop name': 1,
    'বা\u09dcি': 0,
    city: undefined,
  })
})
