import { pipeline, Readable } from 'node:stream'
import { CsvError, parse } from 'csv-parse'
import { BATCH_COLUMNS_MAX } from '#contract/batches.ts'
import { type CsvEncoding, csvFormat } from '#contract/csv-format.ts'
import { decodeFile } from './decode-file.ts'
import { equalText } from './equal-text.ts'
import type { StoredProblem } from './queries.ts'

/** The longest row, in bytes: a quotation mark that is not closed makes the rest of a file one row. */
const ROW_BYTES_MAX = 1_048_576

/** A row with its number in the file. `problems` are those of its form; its values are checked separately. */
export type FileRow = { row: number; values: string[]; problems: StoredProblem[] }

/** A file that is being read. Its rows end early, with a problem, where the file cannot be read. */
export type FileRows = {
  encoding: CsvEncoding
  /** Null for JSON lines. */
  separator: string | null
  /** Empty for an empty file. */
  columns: string[]
  rows: AsyncGenerator<FileRow>
}

/**
 * Reads a CSV file, or JSON lines where the first character is a brace. Rows without any value are skipped. Memory does not
 * grow with the file. A column gets the `needed` name that differs from its own only in the Unicode form.
 */
export async function readRows(
  chunks: AsyncIterable<Uint8Array>,
  needed: readonly string[],
): Promise<FileRows> {
  const { encoding, head, text } = await decodeFile(chunks)
  const named = ({ columns, rows }: Pick<FileRows, 'columns' | 'rows'>) => ({
    columns: columns.map((name) => equalText(needed, name) ?? name),
    rows,
  })
  if (head.trimStart().startsWith('{'))
    return { encoding, separator: null, ...named(await readJsonLines(text)) }
  if (/^\s*\[\s*\{/.test(head)) return { encoding, separator: null, columns: [], rows: arrayRows() }
  const { separator, lineBreaks } = csvFormat(head)
  return { encoding, separator, ...named(await readCsv(text, separator, lineBreaks)) }
}

async function readCsv(
  text: AsyncIterable<string>,
  delimiter: string,
  lineBreaks: string[],
): Promise<Pick<FileRows, 'columns' | 'rows'>> {
  const parser = parse({
    delimiter,
    record_delimiter: lineBreaks,
    relax_column_count: true,
    max_record_size: ROW_BYTES_MAX,
  })
  // An error of the file is thrown by the parser's iterator, one of the database by that too.
  pipeline(Readable.from(text), parser, () => {})
  const records = csvRecords(parser)
  const heading = await records.next()
  const { values = [], problems = [] } = heading.done === true ? {} : heading.value
  const columns = problems.length > 0 ? [] : values.map((name) => name.trim())

  async function* rows(): AsyncGenerator<FileRow> {
    if (problems.length > 0) yield { row: 1, values: [], problems }
    try {
      for await (const record of records) {
        if (record.problems.length === 0 && record.values.length !== columns.length) {
          const parameter = `${record.values.length} ${columns.length}`
          record.problems.push({ row: record.row, column: null, kind: 'cell_count', parameter })
        }
        yield record
      }
    } finally {
      parser.destroy()
    }
  }
  return { columns, rows: rows() }
}

const hasValue = ({ values }: FileRow) => values.some((value) => value.trim() !== '')

/** Yields the records that are not empty. The first one is the heading. */
async function* csvRecords(parser: AsyncIterable<string[]>): AsyncGenerator<FileRow> {
  let row = 0
  try {
    for await (const values of parser) {
      row++
      const record = { row, values, problems: [] }
      if (hasValue(record)) yield record
    }
  } catch (error) {
    if (!(error instanceof CsvError)) throw error
    const isQuote = error.code === 'INVALID_OPENING_QUOTE' || error.code === 'CSV_INVALID_CLOSING_QUOTE'
    // The parser is ahead of the rows that were read: it counts its records itself.
    const broken = Math.max(row, Number(error.records)) + 1
    const kind = isQuote ? 'quotes' : 'unread'
    yield { row: broken, values: [], problems: [{ row: broken, column: null, kind, parameter: '' }] }
  }
}

async function readJsonLines(text: AsyncIterable<string>): Promise<Pick<FileRows, 'columns' | 'rows'>> {
  const records = linesOf(text)
  const first = await records.next()
  const begun = first.done === true ? undefined : first.value
  // One more than a file may have, which the check reports: a line may have very many.
  const names = Object.keys(objectOf(begun?.line) ?? {}).slice(0, BATCH_COLUMNS_MAX + 1)
  const columns = names.map((name) => name.trim())

  async function* rows(): AsyncGenerator<FileRow> {
    for (let next = first; next.done !== true; next = await records.next()) {
      const row = jsonRow(next.value, columns)
      if (row.problems.length > 0 || hasValue(row)) yield row
    }
  }
  return { columns, rows: rows() }
}

/** Yields the problem of a JSON array of objects, which is not read as lines. */
async function* arrayRows(): AsyncGenerator<FileRow> {
  yield { row: 1, values: [], problems: [{ row: 1, column: null, kind: 'not_json', parameter: '' }] }
}

type Line = { row: number; line: string | undefined }

/** Yields the lines of a text that are not empty. A line that is too long is the last one, and undefined. */
async function* linesOf(text: AsyncIterable<string>): AsyncGenerator<Line> {
  let row = 0
  let rest = ''
  for await (const chunk of text) {
    const lines = (rest + chunk).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) {
      row++
      if (line.trim() !== '') yield { row, line }
    }
    if (rest.length > ROW_BYTES_MAX) {
      yield { row: row + 1, line: undefined }
      return
    }
  }
  if (rest.trim() !== '') yield { row: row + 1, line: rest }
}

function objectOf(line: string | undefined): Record<string, unknown> | undefined {
  if (line === undefined) return undefined
  try {
    const value: unknown = JSON.parse(line, numberAsWritten as Parameters<typeof JSON.parse>[1])
    if (typeof value === 'object' && value !== null && !Array.isArray(value))
      return value as Record<string, unknown>
  } catch {
    // No JSON: reported by row.
  }
  return undefined
}

/** Returns a number as the text of the file: an ID of 19 digits has no number in JavaScript, and a price of 1.10 two digits. */
const numberAsWritten = (_: string, value: unknown, { source }: { source: string }) =>
  typeof value === 'number' ? source : value

function jsonRow({ row, line }: Line, columns: readonly string[]): FileRow {
  const object = objectOf(line)
  if (object === undefined) {
    const kind = line === undefined ? 'unread' : 'not_json'
    return { row, values: [], problems: [{ row, column: null, kind, parameter: '' }] }
  }
  const problems: StoredProblem[] = []
  const given = new Map(Object.entries(object).map(([name, value]) => [name.trim(), value]))
  for (const column of given.keys()) {
    if (!columns.includes(column))
      problems.push({ row, column: column.slice(0, 80), kind: 'unknown_column', parameter: '' })
  }
  const values = columns.map((column) => {
    const value = given.get(column) ?? ''
    if (typeof value === 'string') return value
    if (typeof value === 'boolean') return String(value)
    problems.push({ row, column, kind: 'not_text', parameter: '' })
    return ''
  })
  return { row, values, problems }
}
