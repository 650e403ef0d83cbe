import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { PAYOUT_FILE_FIELDS, type PayoutFileColumn } from '#contract/payout-files.ts'
import { writeCsv } from '#server/http/csv-file.ts'
import { Refusal } from '#server/http/refusal.ts'
import { readCsv } from './csv.ts'
import { type PayoutFileRow, payoutFileRows } from './file-rows.ts'

/** Text with the characters that break CSV files and spreadsheets more often than chance has them. */
const cell = fc.oneof(
  fc.string({ unit: 'grapheme' }),
  fc
    .array(
      fc.constantFrom(
        '=',
        '+',
        '-',
        '@',
        '\t',
        '\r',
        '\n',
        '"',
        "'",
        ',',
        ';',
        '＝',
        'আ',
        '0',
        ' ',
        '\uFEFF',
      ),
    )
    .map((parts) => parts.join('')),
)
const table = fc
  .integer({ min: 1, max: 6 })
  .chain((width) =>
    fc.array(fc.array(cell, { minLength: width, maxLength: width }), { minLength: 1, maxLength: 20 }),
  )
const FORMULA = /^[=+\-@\t\r＝＋－＠]/
const guarded = (value: string) => (FORMULA.test(value) ? `'${value}` : value)
const utf8 = (text: string) => Buffer.from(text)
const refuses = (file: Uint8Array, message: RegExp) =>
  assert.throws(
    () => readCsv(file),
    (error) => error instanceof Refusal && error.code === 'invalid_fields' && message.test(error.message),
  )

test('what is written is read back, but for the apostrophe before a formula', () => {
  fc.assert(
    fc.property(table, (rows) => {
      // A first row without any separator or value leaves nothing to parse.
      const heading = rows[0]?.map((_, index) => `column ${index}`) ?? []
      assert.deepEqual(
        readCsv(writeCsv([heading, ...rows])),
        [heading, ...rows].filter((row) => row.length > 1 || row[0] !== '').map((row) => row.map(guarded)),
      )
    }),
    { seed: 1 },
  )
})

test('no cell starts a formula, in any column of any profile', () => {
  const text = fc.string({ unit: 'grapheme' })
  const payout = fc.record<PayoutFileRow>({
    reference: text,
    batch_id: text,
    withdrawal_id: text,
    payment_system: text,
    account_number: cell,
    holder_name: cell,
    bank_name: cell,
    branch: cell,
    routing_number: cell,
    worker_name: cell,
    worker_email: cell,
    requested_on: text,
    cents: fc.nat(),
    poisha: fc.option(fc.nat()),
    rate: fc.option(text),
  })
  const column = fc.record<PayoutFileColumn>({
    header: cell,
    field: fc.constantFrom(...PAYOUT_FILE_FIELDS),
    text: cell,
    asText: fc.boolean(),
  })
  fc.assert(
    fc.property(
      fc.array(column, { minLength: 2, maxLength: 6 }),
      fc.array(payout, { maxLength: 5 }),
      (columns, payouts) => {
        const file = writeCsv(payoutFileRows(columns, payouts))
        assert.deepEqual(
          file,
          writeCsv(payoutFileRows(columns, payouts)),
          'The same rows make the same bytes',
        )
        for (const value of readCsv(file).flat()) assert.doesNotMatch(value, FORMULA)
      },
    ),
    { seed: 1 },
  )
})

test('a file has a byte order mark and CRLF, and account numbers keep their zeros as text', () => {
  const columns: PayoutFileColumn[] = [
    { header: 'number', field: 'accountNumber', text: '', asText: true },
    { header: 'amount', field: 'amount', text: '', asText: false },
    { header: 'kind', field: 'fixed', text: 'SALARY', asText: false },
  ]
  const payout = {
    account_number: '01712345678',
    cents: 1000,
    poisha: 121_505,
    rate: '121.505',
  } as PayoutFileRow
  assert.equal(
    writeCsv(payoutFileRows(columns, [payout, { ...payout, cents: 5, poisha: null }])).toString(),
    '\uFEFF"number","amount","kind"\r\n"\'01712345678","1215.05","SALARY"\r\n"\'01712345678","0.05","SALARY"\r\n',
  )
})

test('files of spreadsheets are read: separators, encodings, empty lines', () => {
  const rows = [
    ['name', 'amount'],
    ['রহিম, "R"', '1,215.50'],
  ]
  const body = (separator: string, end: string) =>
    `name${separator}amount${end}"রহিম, ""R"""${separator}"1,215.50"${end}${end}`
  assert.deepEqual(readCsv(utf8(body(',', '\r\n'))), rows)
  assert.deepEqual(readCsv(utf8(`\uFEFF${body(';', '\n')}`)), rows)
  assert.deepEqual(readCsv(Buffer.from(`\uFEFF${body('\t', '\r\n')}`, 'utf16le')), rows)
})

for (const [name, file] of [
  ['CRLF after the heading only', 'a,b\r\n1,2\n3,4\n'],
  ['LF after the heading only', 'a,b\n1,2\r\n3,4\r\n'],
  ['CR', 'a,b\r1,2\r3,4\r'],
] as const) {
  test(`rows end where the line breaks are ${name}`, () => {
    assert.deepEqual(readCsv(utf8(file)), [
      ['a', 'b'],
      ['1', '2'],
      ['3', '4'],
    ])
  })
}

test('UTF-16 without a byte order mark is read, and a zero character in UTF-8 is refused', () => {
  const rows = [
    ['a', 'b'],
    ['1', 'রহিম'],
  ]
  const wide = Buffer.from('a|b\r\n1|রহিম\r\n', 'utf16le')
  assert.deepEqual(readCsv(wide), rows)
  assert.deepEqual(readCsv(wide.swap16()), rows)
  refuses(utf8('a,b\n1,\0\n'), /CSV UTF-8/)
})

test('other encodings, unequal rows and long files are refused with a remedy', () => {
  refuses(Buffer.from([0x6e, 0xe9, 0x2c, 0x0a]), /CSV UTF-8/)
  refuses(utf8('a,b\n1,2\n1,2,3\n'), /line 3/)
  refuses(utf8('a,b\n"1,2\n'), /not a CSV file/)
  refuses(utf8(`a,b\n${'1,2\n'.repeat(2001)}`), /at most 2000 rows/)
  refuses(utf8(`a,b\n1,"${'x'.repeat(100_000)}"\n`), /not a CSV file/)
  assert.equal(readCsv(utf8(`a,b\n${'1,2\n'.repeat(2000)}`)).length, 2001)
})

test('any bytes are parsed or refused', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
      try {
        assert.ok(Array.isArray(readCsv(bytes)))
      } catch (error) {
        assert.ok(error instanceof Refusal, String(error))
      }
    }),
    { seed: 1 },
  )
})
