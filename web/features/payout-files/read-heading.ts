import { t } from '@lingui/core/macro'
import { csvEncoding, csvFormat } from '#contract/csv-format.ts'
import { STATEMENT_ROWS_MAX } from '#contract/payout-statements.ts'
import { formatNumber } from '#web/lib/format.ts'

/**
 * Returns the headings of a CSV file, to choose from. The server parses the file itself: a wrong guess here shows as a
 * missing choice, never as a wrong import.
 */
export function readHeading(file: Uint8Array): string[] {
  const text = new TextDecoder(csvEncoding(file)).decode(file)
  const [heading = ''] = text.trimStart().split(/[\r\n]/, 1)
  const cells = heading.split(csvFormat(text).separator)
  return [...new Set(cells.map((cell) => cell.replace(/^\s*"|"\s*$/g, '').trim()))].filter(
    (cell) => cell !== '',
  )
}

/** Returns why a file cannot be a statement, or null. The server also refuses what only shows when all of it is parsed. */
export function fileProblem(file: Uint8Array): string | null {
  const text = decode(file)
  if (text === null)
    return t`This is not a CSV file. Save the statement as “CSV UTF-8”, then choose it again.`
  if (readHeading(file).length === 0) return t`This file is empty. Choose a CSV file with a heading row.`
  if (countRows(text) > STATEMENT_ROWS_MAX)
    return t`A file can have at most ${{ maximum: formatNumber(STATEMENT_ROWS_MAX) }} rows. Split it.`
  return null
}

/** Returns the text of a file; null where it is none. */
function decode(file: Uint8Array): string | null {
  try {
    const text = new TextDecoder(csvEncoding(file), { fatal: true }).decode(file)
    return text.includes('\u0000') ? null : text
  } catch {
    return null
  }
}

/** Counts the rows below the heading. A line break in quotation marks ends no row. */
function countRows(text: string): number {
  const unquoted = text.replace(/"[^"]*("|$)/g, '""')
  const lines = unquoted.split(unquoted.includes('\n') ? /\r?\n/ : '\r')
  return lines.filter((line) => line !== '').length - 1
}
