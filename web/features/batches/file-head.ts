import { CSV_HEAD_BYTES, type CsvEncoding, csvEncoding, csvFormat } from '#contract/csv-format.ts'

/** The names of the columns of a file. The heading of a CSV file can be rewritten, as bytes from `start` to `end`. */
export type FileHead = {
  columns: string[]
  heading: { encoding: CsvEncoding; separator: string; start: number; end: number } | null
}

/**
 * Reads the names of the columns of a CSV file, or of JSON lines. The server parses the file itself: a wrong guess here
 * shows as a column that does not match, never as wrong items.
 */
export async function readHead(file: Blob): Promise<FileHead> {
  const bytes = new Uint8Array(await file.slice(0, CSV_HEAD_BYTES).arrayBuffer())
  const encoding = csvEncoding(bytes)
  const text = new TextDecoder(encoding, { ignoreBOM: true }).decode(bytes)
  const begin = text.search(/[^\s\ufeff]/)
  if (begin === -1) return { columns: [], heading: null }
  if (text[begin] === '{') return { columns: namesOfLine(text.slice(begin)), heading: null }
  const { record, separator, end } = readRecord(text, begin)
  const columns = record.map((name) => name.trim())
  const isExact = end < text.length || bytes.length === file.size
  // A heading with unknown characters, or one that does not end here, stays as it is.
  if (text.slice(0, end).includes('\ufffd') || !isExact) return { columns, heading: null }
  const lengthOf = (upTo: number) => encode(text.slice(0, upTo), encoding).length
  return { columns, heading: { encoding, separator, start: lengthOf(begin), end: lengthOf(end) } }
}

/** Returns a file whose columns have other names, in the same order. */
export function withColumns(
  file: Blob,
  heading: NonNullable<FileHead['heading']>,
  columns: readonly string[],
): Blob {
  const { encoding, separator, start, end } = heading
  const quoted = columns.map((name) =>
    /["\r\n]/.test(name) || name.includes(separator) ? `"${name.replaceAll('"', '""')}"` : name,
  )
  return new Blob([file.slice(0, start), encode(quoted.join(separator), encoding), file.slice(end)])
}

function encode(text: string, encoding: CsvEncoding): Uint8Array<ArrayBuffer> {
  if (encoding === 'utf-8') return new TextEncoder().encode(text) as Uint8Array<ArrayBuffer>
  const bytes = new Uint8Array(text.length * 2)
  const view = new DataView(bytes.buffer)
  for (let index = 0; index < text.length; index++) {
    view.setUint16(index * 2, text.charCodeAt(index), encoding === 'utf-16le')
  }
  return bytes
}

/** Reads the record that begins at an index. Its end is that of its last character, before the line break. */
function readRecord(text: string, begin: number): { record: string[]; separator: string; end: number } {
  let end = begin
  for (let isQuoted = false; end < text.length; end++) {
    if (text[end] === '"') isQuoted = !isQuoted
    else if (!isQuoted && (text[end] === '\n' || text[end] === '\r')) break
  }
  const line = text.slice(begin, end)
  const { separator } = csvFormat(line)
  return { record: cellsOf(line, separator), separator, end }
}

function cellsOf(line: string, separator: string): string[] {
  const cells = ['']
  let isQuoted = false
  for (const character of line) {
    if (character === '"') isQuoted = !isQuoted
    if (character === separator && !isQuoted) cells.push('')
    else cells.push((cells.pop() ?? '') + character)
  }
  return cells.map((cell) => cell.replace(/^\s*"([\s\S]*)"\s*$/, '$1').replaceAll('""', '"'))
}

function namesOfLine(text: string): string[] {
  try {
    const value: unknown = JSON.parse(text.split('\n', 1)[0] ?? '')
    return typeof value === 'object' && value !== null ? Object.keys(value).map((name) => name.trim()) : []
  } catch {
    return []
  }
}
