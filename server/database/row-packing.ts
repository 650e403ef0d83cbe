import { type Db, isoTime, query, type StatementOptions } from './database.ts'

/** How a column of a packed row is parsed. `text` is never null; the others are null when empty. */
export type ColumnType = 'text' | 'id' | 'number' | 'flag' | 'day' | 'time' | 'json'

const PARSE: Record<ColumnType, (field: string) => unknown> = {
  text: (field) => field,
  id: (field) => field || null,
  number: (field) => (field === '' ? null : Number(field)),
  flag: (field) => (field === '' ? null : field === 't'),
  day: (field) => field || null,
  time: (field) => (field === '' ? null : isoTime(field)),
  json: (field) => (field === '' ? null : JSON.parse(field)),
}

/** Separates fields. A text that contains it yields too many fields; the page is then read unpacked. */
const SEPARATOR = '\x1f'

/**
 * Declares a statement as `query` does, for pages of rows: all rows arrive packed into one field, because the driver's cost
 * is per field. `columns` gives the type of each of the statement's columns.
 */
export function queryPackedRows<Row, Given extends readonly unknown[]>(
  name: string,
  sql: string,
  columns: { [Column in keyof Row & string]: ColumnType },
  options: StatementOptions = {},
): (db: Db, ...values: Given) => Promise<Row[]> {
  const names = Object.keys(columns) as (keyof Row & string)[]
  const parsers = names.map((column) => PARSE[columns[column]])
  const separator = `e'\\x${SEPARATOR.charCodeAt(0).toString(16)}'`
  const fields = names.join(`, ${separator}, `)
  const unpacked = query<Row, Given>(name, sql, options)
  const packed = query<{ rows: number; fields: string | null }, Given>(
    `${name}_packed`,
    `select count(*) as rows, string_agg(concat(${fields}), ${separator}) as fields from (${sql}) as page`,
    options,
  )

  return async (db, ...values) => {
    const [page] = await packed(db, ...values)
    if (page === undefined || page.fields === null) return []
    const fieldValues = page.fields.split(SEPARATOR)
    if (fieldValues.length !== page.rows * names.length) return unpacked(db, ...values)
    const rows: Row[] = []
    for (let offset = 0; offset < fieldValues.length; offset += names.length) {
      const row: Record<string, unknown> = {}
      for (let column = 0; column < names.length; column++)
        row[names[column] as string] = parsers[column]?.(fieldValues[offset + column] as string)
      rows.push(row as Row)
    }
    return rows
  }
}
