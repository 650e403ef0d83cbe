import { CsvError, parse } from 'csv-parse/sync'
import { Refusal } from '#server/http/refusal.ts'

export const CSV_ROWS_MAX = 2000
const RECORD_MAX_BYTES = 64 * 1024

/**
 * Returns the rows of a CSV file: UTF-8, or UTF-16 with a byte order mark; separated by commas, semicolons or tabs.
 * The first row is the heading. @throws Refusal `invalid_fields` for other encodings, rows of unequal length, and files that are too long.
 */
export function readCsv(file: Uint8Array): string[][] {
  const text = decode(file)
  // UTF-16 without a byte order mark; PostgreSQL cannot store the character.
  if (text.includes('\u0000')) throw new Refusal('invalid_fields.csv_encoding')
  const rows = parseRows(text)
  if (rows.length > CSV_ROWS_MAX + 1) {
    throw new Refusal('invalid_fields.csv_rows', { params: { maximum: CSV_ROWS_MAX } })
  }
  return rows
}

function parseRows(text: string): string[][] {
  try {
    return parse(text, {
      delimiter: delimiterOf(text),
      bom: true,
      skip_empty_lines: true,
      max_record_size: RECORD_MAX_BYTES,
      to: CSV_ROWS_MAX + 2,
    })
  } catch (error) {
    if (!(error instanceof CsvError)) throw error
    throw new Refusal('invalid_fields.csv', { params: { line: Number(error.lines) } })
  }
}

function decode(file: Uint8Array): string {
  const [first, second] = file
  const encoding =
    first === 0xff && second === 0xfe ? 'utf-16le' : first === 0xfe && second === 0xff ? 'utf-16be' : 'utf-8'
  try {
    return new TextDecoder(encoding, { fatal: true, ignoreBOM: true }).decode(file)
  } catch {
    throw new Refusal('invalid_fields.csv_encoding')
  }
}

/** Returns the separator that occurs most often in the heading, outside quotes. */
function delimiterOf(text: string): string {
  const unquoted = text.slice(0, RECORD_MAX_BYTES).replace(/"[^"]*"/g, '')
  const [heading = ''] = unquoted.trimStart().split(/[\r\n]/, 1)
  const count = (separator: string) => heading.split(separator).length
  return [',', ';', '\t'].toSorted((one, other) => count(other) - count(one))[0] as string
}
