import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import type { ProjectContent } from '#contract/projects.ts'
import { columnsOf } from '#server/projects/present.ts'
import { PROJECT } from '#tests/api/samples.ts'
import { checkRows } from './check-rows.ts'
import { readRows } from './read-rows.ts'

const FILES = join(import.meta.dirname, '../../tests/support/spreadsheets')
const PROJECT_OF_SHOPS = {
  ...PROJECT,
  instructions: 'Look at ${name} in ${city}.',
} as ProjectContent

async function check(file: Buffer) {
  async function* chunks() {
    yield file
  }
  return checkRows(await readRows(chunks(), columnsOf(PROJECT_OF_SHOPS)), PROJECT_OF_SHOPS, async () => {})
}

/** The rows as they were typed; Calc runs the formula, as it does with every cell that begins like one. */
const rowsWith = (note: string) => [
  { name: 'Rupali Store', city: 'Dhaka', note: 'রুপালী স্টোর' },
  { name: 'Surma; Books', city: 'Sylhet', note: 'two\nlines, and "quotes"' },
  { name: 'Café Ñandú', city: 'Khulna', note },
]

for (const [name, encoding, separator] of [
  ['shops-comma.csv', 'utf-8', ','],
  ['shops-semicolon.csv', 'utf-8', ';'],
  ['shops-utf16-tab.csv', 'utf-16le', '\t'],
] as const) {
  test(`items that LibreOffice Calc saved are read: ${name}`, async () => {
    const checked = await check(await readFile(join(FILES, name)))
    assert.deepEqual(checked.problems, [])
    assert.deepEqual([checked.encoding, checked.separator, checked.items], [encoding, separator, 3])
    assert.deepEqual(checked.samples, rowsWith('2'))
  })
}

// As https://support.microsoft.com describes the formats: "CSV UTF-8" has a byte order mark, "Unicode Text" is UTF-16 with tabs. The
// separator of CSV is that of the regional settings. Lines end with CRLF, line breaks in a cell with LF.
for (const [name, separator, encode] of [
  ['CSV UTF-8', ',', (text: string) => Buffer.from(`\ufeff${text}`)],
  ['CSV UTF-8 with semicolons', ';', (text: string) => Buffer.from(`\ufeff${text}`)],
  ['Unicode Text', '\t', (text: string) => Buffer.from(`\ufeff${text}`, 'utf16le')],
] as const) {
  test(`items that Excel saves as ${name} are read`, async () => {
    const cellOf = (value: string) => (/[",;\t\n]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value)
    const lines = [['name', 'city', 'note'], ...rowsWith('=1+1').map((row) => Object.values(row))]
    const text = lines.map((cells) => `${cells.map(cellOf).join(separator)}\r\n`).join('')
    const checked = await check(encode(text))
    assert.deepEqual(checked.problems, [])
    assert.deepEqual(checked.samples, rowsWith('=1+1'))
  })
}
