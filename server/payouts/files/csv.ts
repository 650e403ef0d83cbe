import { CsvError, parse } from 'csv-parse/sync'
import { csvEncoding, csvFormat } from '#contract/csv-format.ts'
import { STATEMENT_ROWS_MAX } from '#contract/payout-statements.ts'
import { Refusal } from '#server/http/refusal.ts'

const RECORD_MAX_BYTES = 64 * 1024

/**
 * Returns the rows of a CSV file: UTF-8 or UTF-16; separated by commas, semicolons, tabs or bars. The first row is the heading.
 * @throws Refusal `invalid_fields` for other encodings, rows of unequal length, and files that are too long.
 */
export function readCsv(file: Uint8Array): string[][] {
  const text = decode(file)
  // PostgreSQL cannot store the character.
  if (text.includes('\u0000')) throw new Refusal('invalid_fields.csv_encoding')
  const rows = parseRows(text)
  if (rows.length > STATEMENT_ROWS_MAX + 1) {
    throw new Refusal('invalid_fields.csv_rows', { params: { maximum: STATEMENT_ROWS_MAX } })
  }
  return rows
}

function parseRows(text: string): string[][] {
  const { separator, lineBreaks } = csvFormat(text)
  try {
    return parse(text, {
      delimiter: separator,
      record_delimiter: lineBreaks,
      bom: true,
      skip_empty_lines: true,
      max_record_size: RECORD_MAX_BYTES,
      to: STATEMENT_ROWS_MAX + 2,
    })
  } catch (error) {
    if (!(error instanceof CsvError)) throw error
    throw new Refusal('invalid_fields.csv', { params: { line: Number(error.lines) } })
  }
}

function decode(file: Uint8Array): string {
  try {
    return new TextDecoder(csvEncoding(file), { fatal: true, ignoreBOM: true }).decode(file)
  } catch {
    throw new Refusal('invalid_fields.csv_encoding')
  }
}
