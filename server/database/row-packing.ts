import { type Db, isoTime, query, type StatementOptions } from './database.ts'

/** How a column of a packed row is read. `text` is never null; the others are null where nothing is. */
export type Kind = 'text' | 'id' | 'number' | 'flag' | 'day' | 'time'

const READ: Record<Kind, (field: string) => unknown> = {
  text: (field) => field,
  id: (field) => field || null,
  number: (field) => (field === '' ? null : Number(field)),
  flag: (field) => (field === '' ? null : field === 't'),
  day: (field) => field || null,
  time: (field) => (field === '' ? null : isoTime(field)),
}

/** Between two fields. A text that has one in it makes the fields too many, and the page is read row by row. */
const SEPARATOR = '\x1f'

/**
 * The same as `query`, for pages: all rows come packed into one field, because the driver's cost is per field. `columns`
 * names each of the statement's columns.
 */
export function queryPackedRows<Row, Given extends readonly unknown[]>(
  name: string,
  sql: string,
  columns: { [Column in keyof Row & string]: Kind },
  options: StatementOptions = {},
): (db: Db, ...values: Given) => Promise<Row[]> {
  const names = Object.keys(columns) as (keyof Row & string)[]
  const readers = names.map((column) => READ[columns[column]])
  const separator = `e'\\x${SEPARATOR.charCodeAt(0).toString(16)}'`
  const fields = names.join(`, ${separator}, `)
  const plain = query<Row, Given>(name, sql, options)
  const packed = query<{ rows: number; fields: string | null }, Given>(
    `${name}_packed`,
    `select count(*) as rows, string_agg(concat(${fields}), ${separator}) as fields from (${sql}) as page`,
    options,
  )

  return async (db, ...values) => {
    const [page] = await packed(db, ...values)
    if (page === undefined || page.fields === null) return []
    const found = page.fields.split(SEPARATOR)
    if (found.length !== page.rows * names.length) return plain(db, ...values)
    const rows: Row[] = []
    for (let at = 0; at < found.length; at += names.length) {
      const row: Record<string, unknown> = {}
      for (let column = 0; column < names.length; column++)
        row[names[column] as string] = readers[column]?.(found[at + column] as string)
      rows.push(row as Row)
    }
    return rows
  }
}
