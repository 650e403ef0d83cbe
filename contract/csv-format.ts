/** The bytes of a file that show its encoding and, with the heading, how values and rows end. */
export const CSV_HEAD_BYTES = 65_536
const SEPARATORS = [',', ';', '\t', '|']

export type CsvEncoding = 'utf-8' | 'utf-16le' | 'utf-16be'

/**
 * Returns the encoding of a file by its byte order mark. Without one it is UTF-16 where every other byte of its beginning is
 * zero, and UTF-8 otherwise.
 */
export function csvEncoding([first, second, third, fourth]: Uint8Array): CsvEncoding {
  if (first === 0xff && second === 0xfe) return 'utf-16le'
  if (first === 0xfe && second === 0xff) return 'utf-16be'
  if (first === 0 && second !== 0 && third === 0) return 'utf-16be'
  if (first !== 0 && second === 0 && fourth === 0) return 'utf-16le'
  return 'utf-8'
}

/**
 * Returns the separator that occurs most often in the heading of a CSV file, and the line breaks of its rows. Parsers take the
 * first line break as that of all rows, and files that were put together have several kinds.
 */
export function csvFormat(text: string): { separator: string; lineBreaks: string[] } {
  const head = emptyQuotedValues(text.slice(0, CSV_HEAD_BYTES))
  const [heading = ''] = head.replace(/^[\r\n \ufeff]+/, '').split(/[\r\n]/, 1)
  const count = (separator: string) => heading.split(separator).length
  const [separator = ','] = SEPARATORS.toSorted((one, other) => count(other) - count(one))
  return { separator, lineBreaks: head.includes('\n') ? ['\r\n', '\n'] : ['\r'] }
}

/** Empties the values in quotation marks: what is in them neither separates values nor ends rows. */
export function emptyQuotedValues(text: string): string {
  return text.replace(/"[^"]*("|$)/g, '""')
}
