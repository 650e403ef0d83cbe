import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { BATCH_PROBLEM_TEXTS as bangla } from '#contract/batch-problems.bn.ts'
import { BATCH_PROBLEM_TEXTS as english } from '#contract/batch-problems.en.ts'
import { COLUMN_MAX, type ProjectContent } from '#contract/projects.ts'
import { columnsOf } from '#server/projects/present.ts'
import { PROJECT } from '#tests/api/samples.ts'
import { type CheckedFile, checkRows } from './check-rows.ts'
import { readRows } from './read-rows.ts'

const content = {
  ...PROJECT,
  instructions: 'Look at ${name} in ${city}.',
  pictureColumns: ['photo'],
} as ProjectContent

const NAME_ONLY = { ...content, instructions: 'Look at ${name}.', pictureColumns: [] }

/** Checks a file that arrives in chunks of `size` bytes. */
async function check(file: string | Uint8Array, project = content, size = 7): Promise<CheckedFile> {
  const bytes = Buffer.from(file)
  async function* chunks() {
    for (let from = 0; from < bytes.length; from += size) yield bytes.subarray(from, from + size)
  }
  return checkRows(await readRows(chunks(), columnsOf(project)), project, async () => {})
}

const foundIn = ({ problems }: CheckedFile) =>
  problems.map(({ row, column, kind }) => `${row ?? '-'} ${column ?? '-'} ${kind}`)

const URL_1 = 'https://pictures.example/1.jpg'
const GOOD = `name,city,photo\nRupa,Dhaka,${URL_1}\n"Karim, ""& Sons""","Old\r\nDhaka",${URL_1}\n`
const SAMPLES = [
  { name: 'Rupa', city: 'Dhaka', photo: URL_1 },
  { name: 'Karim, "& Sons"', city: 'Old\r\nDhaka', photo: URL_1 },
]

describe('the check of a file', () => {
  const utf16be = (text: string) => Buffer.from(text, 'utf16le').swap16()
  const ENCODED: [name: string, file: string | Uint8Array, encoding: string][] = [
    ['UTF-8', GOOD, 'utf-8'],
    ['UTF-8 with a byte order mark', `\ufeff${GOOD}`, 'utf-8'],
    ['UTF-16 LE with a byte order mark', Buffer.from(`\ufeff${GOOD}`, 'utf16le'), 'utf-16le'],
    ['UTF-16 BE with a byte order mark', utf16be(`\ufeff${GOOD}`), 'utf-16be'],
    ['UTF-16 LE', Buffer.from(GOOD, 'utf16le'), 'utf-16le'],
    ['UTF-16 BE', utf16be(GOOD), 'utf-16be'],
  ]
  for (const [name, file, encoding] of ENCODED) {
    test(`reads ${name}, with line breaks in quotation marks`, async () => {
      const checked = await check(file)
      assert.deepEqual(foundIn(checked), [])
      assert.equal(checked.encoding, encoding)
      assert.deepEqual(checked.samples, SAMPLES)
      assert.deepEqual(checked.columns, ['name', 'city', 'photo'])
      assert.equal(checked.items, 2)
    })
  }

  test('columns may be named like properties of every object', async () => {
    const named = { ...content, instructions: 'Look.', pictureColumns: ['constructor', '__proto__'] }
    const missing = await check('name\nRupa\n', named)
    assert.ok(foundIn(missing).includes('1 constructor missing_column'), foundIn(missing).join())
    const checked = await check(`name,constructor,__proto__\nRupa,${URL_1},${URL_1}\n`, named)
    assert.deepEqual(foundIn(checked), [])
    assert.deepEqual(Object.entries(checked.samples[0] ?? {}), [
      ['name', 'Rupa'],
      ['constructor', URL_1],
      ['__proto__', URL_1],
    ])
  })

  for (const separator of [',', ';', '\t', '|']) {
    test(`finds the separator ${JSON.stringify(separator)}`, async () => {
      const rows = [
        ['name', 'city', '"photo,;|"', 'photo'],
        ['Rupa', 'Dhaka', '', URL_1],
      ]
      const checked = await check(rows.map((row) => row.join(separator)).join('\r\n'))
      assert.deepEqual(foundIn(checked), [])
      assert.equal(checked.separator, separator)
    })
  }

  for (const [name, file, rows] of [
    ['CRLF after the heading only', 'name\r\nA\nB\nC\n', ['A', 'B', 'C']],
    ['LF after the heading only', 'name\nA\r\nB\r\n', ['A', 'B']],
    ['CR', 'name\r"A\nB"\rC\r', ['A\nB', 'C']],
  ] as const) {
    test(`ends rows where the line breaks are ${name}`, async () => {
      const { samples } = await check(file, NAME_ONLY)
      assert.deepEqual(
        samples.map((row) => row.name),
        rows,
      )
    })
  }

  test('reads JSON lines with texts, numbers and booleans', async () => {
    const file = [
      { name: 'Rupa', city: 12, photo: URL_1 },
      { photo: URL_1, city: true, name: 'Line\nbreak' },
    ]
    const checked = await check(`${file.map((one) => JSON.stringify(one)).join('\r\n')}\r\n\r\n`)
    assert.deepEqual(foundIn(checked), [])
    assert.equal(checked.separator, null)
    assert.deepEqual(checked.samples[1], { name: 'Line\nbreak', city: 'true', photo: URL_1 })
  })

  test('keeps numbers of JSON lines as they are written', async () => {
    const numbers = ['1234567890123456789', '1.10', '-0', '1e400', '0.1']
    const { samples } = await check(numbers.map((number) => `{"name":${number}}`).join('\n'), NAME_ONLY)
    assert.deepEqual(
      samples.map((row) => row.name),
      numbers,
    )
  })

  test('skips JSON lines without any value, as empty rows of CSV', async () => {
    const lines = ['{"name":"","note":null}', '{"name":"A"}', '{}', '{"name":" ","note":""}', '{"nmae":""}']
    const checked = await check(lines.join('\n'), NAME_ONLY)
    assert.deepEqual(foundIn(checked), ['5 nmae unknown_column'])
    assert.deepEqual(checked.samples[0], { name: 'A', note: '' })
  })

  for (const [name, ofProject, ofFile] of [
    ['one code point', 'বা\u09dcি', 'বা\u09a1\u09bcি'],
    ['two code points', 'বা\u09a1\u09bcি', 'বা\u09dcি'],
  ] as const) {
    test(`columns and known answers may write a letter otherwise than the project does with ${name}`, async () => {
      const form = {
        fields: [
          { type: 'choice', name: 'kind', label: 'Kind', required: true, options: [ofProject, 'Shop'] },
          { type: 'choices', name: 'kinds', label: 'Kinds', required: true, options: [ofProject, 'Shop'] },
        ],
      }
      const project = { ...content, instructions: `Look at \${${ofProject}}.`, pictureColumns: [], form }
      const heading = `${ofFile},golden.kind,golden.kinds`
      const checked = await check(`${heading}\nRupa,${ofFile},Shop| ${ofFile}\n`, project as ProjectContent)
      assert.deepEqual(foundIn(checked), [])
      assert.deepEqual(checked.columns[0], ofProject)
      assert.deepEqual(checked.samples, [{ [ofProject]: 'Rupa' }])
      const line = JSON.stringify({ [ofFile]: 'Rupa' })
      assert.deepEqual((await check(line, project as ProjectContent)).samples, [{ [ofProject]: 'Rupa' }])
    })
  }

  const FILES: [name: string, file: string | Uint8Array, problems: string[]][] = [
    ['an empty file', '', ['- - empty_file']],
    ['a file of line breaks', '\n\n', ['- - empty_file']],
    ['a heading without rows', 'name,city,photo\n', ['- - empty_file']],
    ['missing columns', 'name,town\nRupa,Dhaka\n', ['1 city missing_column', '1 photo missing_column']],
    [
      'columns without a name and with the same one',
      `name,city,photo,,name\nRupa,Dhaka,${URL_1},x,y\n`,
      ['1 4 unnamed_column', '1 name repeated_column'],
    ],
    [
      'rows of another length; empty rows count as rows of the spreadsheet',
      `name,city,photo\n,,\nRupa,Dhaka\n\nRupa,Dhaka,${URL_1},x\n`,
      ['3 - cell_count', '5 - cell_count'],
    ],
    [
      'the same row again',
      `name,city,photo\nA,B,${URL_1}\nC,B,${URL_1}\nA,B,${URL_1}\n`,
      ['4 - repeated_row'],
    ],
    ['an empty value that is needed', `name,city,photo\nRupa, ,${URL_1}\n`, ['2 city empty_value']],
    [
      'pictures whose URL is none',
      'name,city,photo\nA,B,http://x.example/1.jpg\nC,D,1.jpg\nE,F,https://\n',
      ['2 photo picture_url', '3 photo picture_url', '4 photo picture_url'],
    ],
    [
      'pictures that the server would not request',
      'name,city,photo\nA,B,https://x.example:8443/1.jpg\nC,D,https://10.0.0.5/1.jpg\nE,F,https://me:secret@x.example/1.jpg\nG,H,https://[::1]/1.jpg\n',
      ['2 photo picture_url', '3 photo picture_url', '4 photo picture_url', '5 photo picture_url'],
    ],
    [
      'pictures whose URL has too many bytes to be stored',
      `name,city,photo\nA,B,https://x.example/${'ছ'.repeat(827)}\nC,D,https://x.example/${'ছ'.repeat(828)}\n`,
      ['3 photo picture_url'],
    ],
    [
      'bytes of another encoding',
      Buffer.concat([
        Buffer.from('name,city,photo\nR'),
        Buffer.from([0xfc]),
        Buffer.from(`pa,Dhaka,${URL_1}\n`),
      ]),
      ['2 name characters'],
    ],
    ['characters that cannot be stored', `name,city,photo\na\u0000b,Dhaka,${URL_1}\n`, ['2 name characters']],
    ['a long value', `name,city,photo\n${'x'.repeat(10_001)},Dhaka,${URL_1}\n`, ['2 name long_value']],
    ['a quotation mark that is not closed', `name,city,photo\nA,B,${URL_1}\n"C,D,${URL_1}\n`, ['3 - unread']],
    ['text after a quotation mark', `name,city,photo\n"A"x,B,${URL_1}\n`, ['2 - quotes']],
    ['a quotation mark in the heading', `"name"x,city\nA,B\n`, ['1 - quotes']],
    [
      'lines that are no JSON object',
      `{"name":"A","city":"B","photo":"${URL_1}"}\n[1]\n{"name":\n`,
      ['2 - not_json', '3 - not_json'],
    ],
    ['a JSON array of objects', '[\n  {"name":"A"},\n  {"name":"B"}\n]\n', ['1 - not_json']],
    [
      'JSON with other columns, lists and lone surrogates',
      `{"name":"A","city":"B","photo":"${URL_1}"}\n{"name":["A"],"city":"B","photo":"${URL_1}","x":1}\n{"name":"\\ud800","city":"B","photo":"${URL_1}"}\n`,
      ['2 x unknown_column', '2 name not_text', '3 name characters'],
    ],
  ]
  for (const [name, file, problems] of FILES) {
    test(`finds ${name}`, async () => {
      const checked = await check(file, content, 1000)
      assert.deepEqual(foundIn(checked), problems)
      assert.equal(checked.errors + checked.warnings, problems.length)
    })
  }

  test('a row of another length is described in the language of the reader, also in earlier reports', async () => {
    const { problems } = await check('name\nA,B,C\n', NAME_ONLY)
    for (const parameter of [problems[0]?.parameter ?? '', '3 instead of 1']) {
      const [inEnglish, inBangla] = [english, bangla].map((texts) => texts.cell_count(parameter))
      assert.equal(inEnglish, 'The number of values differs from the heading: 3 instead of 1.')
      assert.equal(inBangla, 'মানের সংখ্যা শিরোনামের সারির সঙ্গে মেলে না: ১টির জায়গায় ৩টি।')
    }
  })

  test('a repeated row is a warning', async () => {
    const { errors, warnings } = await check(`name,city,photo\nA,B,${URL_1}\nA,B,${URL_1}\n`)
    assert.deepEqual({ errors, warnings }, { errors: 0, warnings: 1 })
  })

  test('counts all problems and lists the first thousand', async () => {
    const checked = await check(`name,city,photo\n${'a,b,c\n'.repeat(3000)}`, content, 4096)
    assert.equal(checked.errors, 3000)
    assert.equal(checked.problems.length, 1000)
  })

  test('errors are listed before warnings, however many there are', async () => {
    const same = `A,B,${URL_1}\n`
    const checked = await check(`name,city,photo\n${same.repeat(1_200)}C,,${URL_1}\n`, content, 262_144)
    assert.deepEqual([checked.errors, checked.warnings, checked.problems.length], [1, 1_199, 1_000])
    assert.deepEqual(foundIn(checked).at(-1), '1202 city empty_value')
  })

  test('more answers than a task may have slots are an error, before anything is paid', async () => {
    const rows = Array.from({ length: 5_001 }, (_, row) => `${row},b,${URL_1}\n`)
    const checked = await check(
      `name,city,photo\n${rows.join('')}`,
      { ...content, workersPerItem: 20 },
      262_144,
    )
    assert.deepEqual(
      checked.problems.map(({ kind, parameter }) => [kind, parameter]),
      [['too_many_answers', '5,000']],
    )
  })

  test('stops after a hundred thousand rows, and at a line with very many columns', async () => {
    const file = Array.from({ length: 100_001 }, (_, row) => `{"name":${row}}\n`).join('')
    const checked = await check(file, { ...NAME_ONLY, workersPerItem: 1 }, 262_144)
    assert.deepEqual(foundIn(checked), ['100001 - too_many_rows'])
    assert.equal(checked.items, 100_000)
    const wide = JSON.stringify(
      Object.fromEntries(Array.from({ length: 50_000 }, (_, index) => [`c${index}`, 1])),
    )
    assert.deepEqual(
      (await check(`${wide}\n${wide}\n`, content, 262_144)).problems[0]?.kind,
      'too_many_columns',
    )
  })

  for (const [name, column] of [
    ['ends in the middle of a character', `${'x'.repeat(COLUMN_MAX - 1)}😀`],
    ['has characters that cannot be stored', 'a\u0000b\ud800c'],
  ]) {
    test(`the result can be stored when a column's name ${name}`, async () => {
      const row = { name: 'A', city: 'B', photo: URL_1, [String(column)]: 'x' }
      const checked = await check(`${JSON.stringify(row)}\n`, content, 1000)
      assert.equal(checked.errors, 1)
      assert.equal(checked.samples.length, 1)
      const stored = JSON.stringify(checked)
      assert.ok(!stored.includes('\\u0000') && !/\\ud[89a-f]/i.test(stored), stored)
    })
  }

  test('throws for no input, and its result can be stored', async () => {
    // To prepare a string of the unit 'binary' takes longer than all the checks.
    const text = fc
      .array(fc.nat(0x10ffff), { maxLength: 200 })
      .map((codePoints) => String.fromCodePoint(...codePoints))
    const bytes = fc.oneof(
      fc.uint8Array({ maxLength: 300 }),
      text.map((rows) => Buffer.from(`name,city\n${rows}`)),
      fc.string({ maxLength: 100 }).map((text) => Buffer.from(`{"name":${JSON.stringify(text)}}\n${text}`)),
    )
    await fc.assert(
      fc.asyncProperty(bytes, async (file) => {
        const stored = JSON.stringify(await check(file, content, 11))
        assert.ok(!stored.includes('\\u0000') && !/\\ud[89a-f]/i.test(stored))
      }),
      { seed: 1 },
    )
  })
})
