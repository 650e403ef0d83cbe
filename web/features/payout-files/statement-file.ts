import { t } from '@lingui/core/macro'
import { csvEncoding, csvFormat, emptyQuotedValues } from '#contract/csv-format.ts'
import { STATEMENT_ROWS_MAX } from '#contract/payout-statements.ts'
import { formatNumber } from '#web/lib/format.ts'

/**
 * Returns the headings of a CSV file, to choose from, and why it cannot be a statement, or null. The server parses the file
 * itself: a wrong guess here shows as a missing choice, never as a wrong import. It also refuses what only shows then.
 */
export function readStatement(file: Uint8Array): { headings: string[]; problem: string | null } {
  const text = decode(file)
  if (text === null) {
    const problem = t`This is not a CSV file. Save the statement as “CSV UTF-8”, then choose it again.`
    return { headings: [], problem }
  }
  const { separator, lineBreaks } = csvFormat(text)
  const headings = headingsOf(text, separator)
  return { headings, problem: problemOf(headings, countRows(text, lineBreaks)) }
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

function headingsOf(text: string, separator: string): string[] {
  const [heading = ''] = text.trimStart().split(/[\r\n]/, 1)
  const cells = heading.split(separator).map((cell) => cell.replace(/^\s*"|"\s*$/g, '').trim())
  return [...new Set(cells)].filter((cell) => cell !== '')
}

function problemOf(headings: string[], rows: number): string | null {
  if (headings.length === 0) return t`This file is empty. Choose a CSV file with a heading row.`
  if (rows > STATEMENT_ROWS_MAX)
    return t`A file can have at most ${{ maximum: formatNumber(STATEMENT_ROWS_MAX) }} rows. Split it.`
  return null
}

/** Counts the rows below the heading. */
function countRows(text: string, lineBreaks: string[]): number {
  const lines = emptyQuotedValues(text).split(new RegExp(lineBreaks.join('|')))
  return lines.filter((line) => line !== '').length - 1
}
