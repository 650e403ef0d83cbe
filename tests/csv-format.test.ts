import assert from 'node:assert/strict'
import { test } from 'node:test'
import { CSV_HEAD_BYTES, csvEncoding, csvFormat } from '#contract/csv-format.ts'

test('the encoding of a file is known with a byte order mark and without one', () => {
  const bigEndian = (text: string) => Buffer.from(text, 'utf16le').swap16()
  for (const mark of ['', '\ufeff']) {
    assert.equal(csvEncoding(Buffer.from(`${mark}নাম,b`)), 'utf-8')
    assert.equal(csvEncoding(Buffer.from(`${mark}a,b`, 'utf16le')), 'utf-16le')
    assert.equal(csvEncoding(bigEndian(`${mark}a,b`)), 'utf-16be')
  }
  assert.equal(csvEncoding(Buffer.from('')), 'utf-8')
})

test('the separator is the most frequent one of the heading, outside quotation marks', () => {
  assert.equal(csvFormat('name').separator, ',')
  assert.equal(csvFormat('a,b\n1;2;3;4\n').separator, ',')
  assert.equal(csvFormat('\ufeff\r\na;b;"c,d,e,\nf,g"\r\n').separator, ';')
  assert.equal(csvFormat('a\tb').separator, '\t')
  for (const heading of ['"a"\t"b"', '"a"\tb', '\ufeff\r\n "a"\t"b"', '\ta', 'a\t'])
    assert.equal(csvFormat(`${heading}\n"1"\t"2"\n`).separator, '\t', heading)
  assert.equal(csvFormat('a|b').separator, '|')
})

test('rows end with LF, with or without CR, and with CR where there is no LF outside quotation marks', () => {
  assert.deepEqual(csvFormat('a\r\n1\n').lineBreaks, ['\r\n', '\n'])
  assert.deepEqual(csvFormat('a\n1\r\n').lineBreaks, ['\r\n', '\n'])
  assert.deepEqual(csvFormat('a\r"1\n2"\r').lineBreaks, ['\r'])
  // A value that is longer than what is looked at.
  assert.deepEqual(csvFormat(`a\r"1\n${'2'.repeat(CSV_HEAD_BYTES)}"\r`).lineBreaks, ['\r'])
})
