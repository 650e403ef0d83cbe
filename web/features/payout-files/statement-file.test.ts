import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readStatement } from './statement-file.ts'

test('the headings of a statement are read in every encoding, each once', () => {
  const text = '"Reference, ours";Amount;Amount;\r\n1;2;3;4\r\n'
  const wide = Buffer.from(text, 'utf16le')
  for (const file of [Buffer.from(`\ufeff${text}`), Buffer.from(wide), wide.swap16()])
    assert.deepEqual(readStatement(file), { headings: ['Reference, ours', 'Amount'], problem: null })
})
