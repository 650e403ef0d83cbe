import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { REASON_MAX } from '#contract/rejections.ts'
import { readDecisions } from './read-decisions.ts'

const FILES = join(import.meta.dirname, '../../../tests/support/spreadsheets')
const submission = (number: number) => `019a4c00-0000-7000-8000-00000000000${number}`
const DECIDED = [
  { submission: submission(1), decision: 'approve' },
  { submission: submission(2), decision: 'reject', reason: 'The second line is missing; please, look again' },
  { submission: submission(4), decision: 'reject', reason: 'দোকানের নাম ভুল' },
]

for (const name of ['decided-comma.csv', 'decided-semicolon.csv', 'decided-utf16-tab.csv']) {
  test(`decisions that were saved by LibreOffice Calc are read: ${name}`, async () => {
    const { decisions, problems } = await readDecisions(new Blob([await readFile(join(FILES, name))]))
    assert.deepEqual(problems, [])
    assert.deepEqual(decisions, DECIDED)
  })
}

test('a formula in an answer is a text in the export, and still one when a spreadsheet has saved it', async () => {
  const text = '\'=HYPERLINK(""http://example.com"",""free coins"")'
  for (const name of ['answers.csv', 'decided-comma.csv'])
    assert.ok((await readFile(join(FILES, name), 'utf8')).includes(text), name)
})

test('the lines of Excel are read: a byte order mark, semicolons, CRLF, and empty rows at the end', async () => {
  const text = `\ufeffSubmission;Approve;Reject\r\n${submission(1)};;"Two\nlines"\r\n;;\r\n`
  const { decisions, problems } = await readDecisions(new Blob([text]))
  assert.deepEqual(problems, [])
  assert.deepEqual(decisions, [{ submission: submission(1), decision: 'reject', reason: 'Two\nlines' }])
})

test('UTF-16 is read without a byte order mark, as in the file of a batch', async () => {
  const wide = Buffer.from(`Submission\tApprove\tReject\r\n${submission(1)}\t\tনাম ভুল\r\n`, 'utf16le')
  for (const file of [Buffer.from(wide), wide.swap16()]) {
    const { decisions, problems } = await readDecisions(new Blob([file]))
    assert.deepEqual(problems, [])
    assert.deepEqual(decisions, [{ submission: submission(1), decision: 'reject', reason: 'নাম ভুল' }])
  }
})

test('rows end at every line break of a file that has several kinds', async () => {
  const text = `Submission,Approve,Reject\r\n${submission(1)},x,\n${submission(2)},x,\n`
  const { decisions, problems } = await readDecisions(new Blob([text]))
  assert.deepEqual(problems, [])
  assert.deepEqual(
    decisions.map((decision) => decision.submission),
    [submission(1), submission(2)],
  )
})

test('a rejection can name a category, as the API or as the screens do, and a requirement', async () => {
  const rows = [
    `${submission(1)},,Too dark,unusable,A photo in daylight`,
    `${submission(2)},,Half of it,incomplete,`,
    `${submission(3)},,Twice,Duplicate,`,
    `${submission(4)},,No,bad,`,
  ]
  const text = `Submission,Approve,Reject,Category,Requirement\r\n${rows.join('\r\n')}`
  const { decisions, problems } = await readDecisions(new Blob([text]))
  assert.deepEqual(
    decisions.map(({ category, requirement }) => [category, requirement]),
    [
      ['unusable', 'A photo in daylight'],
      ['incomplete', undefined],
      ['duplicate', undefined],
    ],
  )
  assert.deepEqual(problems, [{ row: 5, message: 'Not a category: bad' }])
})

test('a reason in another encoding is reported, and not sent to the worker', async () => {
  const latin = Buffer.from(`Submission,Approve,Reject\r\n${submission(1)},,Caf\xe9\r\n`, 'latin1')
  const { decisions, problems } = await readDecisions(new Blob([latin]))
  assert.deepEqual(decisions, [])
  assert.deepEqual(problems, [{ row: 2, message: 'The reason cannot be read. Save the file as CSV UTF-8.' }])
})

/** A line of the export with decisions. */
const line = (number: number, decision: object) =>
  JSON.stringify({ Item: number, Submission: submission(number), 'Input.name': 'Rupali', ...decision })

test('decisions are read from the JSON lines of the export, with their limits and errors by line', async () => {
  const lines = [
    line(1, { Approve: 'x', Reject: '', Category: '', Requirement: '' }),
    '',
    line(2, { Approve: '', Reject: 'দোকানের\nনাম ভুল', Category: 'Incomplete', Requirement: 'A name' }),
    line(3, { Approve: '', Reject: '', Category: '', Requirement: '' }),
    line(4, { Approve: true, Reject: null }),
    line(5, { Approve: false }),
    line(6, { approve: 'x', Reject: 'No' }),
    line(7, { Approve: '', Reject: ['No'] }),
    line(8, { Approve: '', Reject: 'No', Category: 'bad' }),
    line(4, { Approve: 'x' }),
    line(9, { Approve: '', Reject: 'x'.repeat(REASON_MAX + 1) }),
    '[1]',
    '{"Submission":',
    '{"Submission":"unknown","Approve":"x"}',
  ]
  for (const end of ['\n', '\r\n']) {
    const { decisions, problems } = await readDecisions(new Blob([`\ufeff${lines.join(end)}${end}`]))
    assert.deepEqual(decisions, [
      { submission: submission(1), decision: 'approve' },
      {
        ...{ submission: submission(2), decision: 'reject', reason: 'দোকানের\nনাম ভুল' },
        ...{ category: 'incomplete', requirement: 'A name' },
      },
      { submission: submission(4), decision: 'approve' },
    ])
    assert.deepEqual(problems, [
      { row: 7, message: 'Both Approve and Reject are filled in.' },
      { row: 8, message: 'Reject is not a text.' },
      { row: 9, message: 'Not a category: bad' },
      { row: 10, message: 'Another row decides the same submission.' },
      { row: 11, message: 'At most 2,000 characters' },
      { row: 12, message: 'This line is not a JSON object.' },
      { row: 13, message: 'This line is not a JSON object.' },
      { row: 14, message: 'Not a valid submission ID.' },
    ])
  }
})

test('JSON lines without the columns of decisions, or in another encoding, are refused', async () => {
  const former = await readDecisions(new Blob(['{"_id":"1","item":1}\n']))
  assert.deepEqual(former, {
    decisions: [],
    problems: [{ row: 1, message: 'Columns Submission, Approve, Reject are missing.' }],
  })
  const latin = Buffer.from(`${line(1, { Approve: '', Reject: 'Caf\xe9' })}\n`, 'latin1')
  assert.deepEqual((await readDecisions(new Blob([latin]))).problems, [
    { row: 1, message: 'The reason cannot be read. Save the file as UTF-8.' },
  ])
})
