import { csvEncoding, csvFormat } from '#contract/csv-format.ts'

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
