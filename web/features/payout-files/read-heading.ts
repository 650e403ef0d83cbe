/**
 * Returns the headings of a CSV file, to choose from. The server parses the file itself: a wrong guess here shows as a
 * missing choice, never as a wrong import.
 */
export function readHeading(file: Uint8Array): string[] {
  const encoding = file[0] === 0xff && file[1] === 0xfe ? 'utf-16le' : 'utf-8'
  const [heading = ''] = new TextDecoder(encoding)
    .decode(file)
    .trimStart()
    .split(/[\r\n]/, 1)
  const cells = [',', ';', '\t'].map((separator) => heading.split(separator))
  const [most = []] = cells.toSorted((one, other) => other.length - one.length)
  return [...new Set(most.map((cell) => cell.replace(/^\s*"|"\s*$/g, '').trim()))].filter(
    (cell) => cell !== '',
  )
}
