import { Readable } from 'node:stream'
import { stringify } from 'csv-stringify/sync'
import type { FastifyReply } from 'fastify'
import { EXPORT_ROWS_MAX } from '#contract/product.ts'
import { Refusal } from './refusal.ts'

const PAGE_ROWS = 1000
/** Rows of one text. Those of a page can be longer together than a string may be. */
const TEXT_ROWS = 20

/**
 * Returns a CSV file: UTF-8 with a byte order mark, CRLF, every value quoted. A value that a spreadsheet would run as a
 * formula is preceded by an apostrophe. The same rows make the same bytes.
 */
export function writeCsv(rows: readonly (readonly string[])[]): Buffer {
  return Buffer.from(csvLines(rows, { bom: true }))
}

type CsvFile<Row> = {
  name: string
  heading: readonly string[]
  /** Reads the rows after `last` (null: the first ones). */
  read: (last: Row | null, limit: number) => Promise<Row[]>
  cells: (row: Row) => readonly (string | number)[]
  /** Values that a spreadsheet would run as formulas stay as they are. */
  raw?: boolean | undefined
  /** The only column whose values are quoted, in addition to those that need it; all without it. */
  quotedColumn?: number
}

/** Refuses a file of too many rows, before a download is logged. @throws Refusal `invalid_fields` for more than `EXPORT_ROWS_MAX`. */
export function requireExportable(count: number): void {
  if (count > EXPORT_ROWS_MAX)
    throw new Refusal('invalid_fields.export_rows', { params: { maximum: EXPORT_ROWS_MAX } })
}

/**
 * Streams a CSV file in the response, page by page, so that a long list is never in memory as a whole.
 */
export function sendCsv<Row>(reply: FastifyReply, file: CsvFile<Row>): Readable {
  reply.header('content-type', 'text/csv; charset=utf-8')
  reply.header('content-disposition', `attachment; filename="${file.name}"`)
  return Readable.from(pagesOf(file))
}

async function* pagesOf<Row>(file: CsvFile<Row>): AsyncGenerator<string> {
  const { heading, read, cells, raw, quotedColumn } = file
  yield csvLines([heading], { bom: true, raw, quoted: quotedColumn === undefined })
  yield* textsOf(read, (rows) => csvLines(rows.map(cells), { raw, quoted: quotedColumn ?? true }))
}

/** Reads rows page by page, and yields them as texts of a few rows. */
export async function* textsOf<Row>(
  read: CsvFile<Row>['read'],
  write: (rows: Row[]) => string,
): AsyncGenerator<string> {
  for (let last: Row | null = null, rows: Row[] = []; ; ) {
    rows = await read(last, PAGE_ROWS)
    for (let first = 0; first < rows.length; first += TEXT_ROWS)
      yield write(rows.slice(first, first + TEXT_ROWS))
    if (rows.length < PAGE_ROWS) return
    last = rows.at(-1) ?? null
  }
}

/** `quoted` is the index of the only column whose values are quoted, or whether all are. */
type LineOptions = { bom?: boolean; raw?: boolean | undefined; quoted?: boolean | number }

function csvLines(
  rows: readonly (readonly (string | number)[])[],
  { bom = false, raw = false, quoted = true }: LineOptions,
): string {
  return stringify(rows as (string | number)[][], {
    bom,
    record_delimiter: 'windows',
    quoted: quoted === true,
    cast: { string: (value, { index }) => (index === quoted ? { value, quoted: true } : value) },
    quoted_empty: false,
    escape_formulas: !raw,
  })
}
