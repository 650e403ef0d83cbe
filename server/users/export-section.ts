import { type Db, query, WHOLE_TABLE } from '#server/database/database.ts'
import { beforeCursor, type KeyType } from '#server/database/keyset.ts'

export type Row = { key: string; data: string }
export type ReadSection = (db: Db, owner: string, before: string | null, limit: number) => Promise<Row[]>
export type Sections = Record<string, ReadSection>

/** Creates the query of one list of the export, newest first. `data` is the JSON of a row. */
export const section = (name: string, key: string, type: KeyType, data: string, from: string): ReadSection =>
  query<Row, [owner: string, before: string | null, limit: number]>(
    `export_${name}`,
    `select ${key}::text as key, (${data})::text as data from ${from}
        and ${key} < ${beforeCursor('$2', type)} order by ${key} desc limit $3`,
    WHOLE_TABLE,
  )

/**
 * Creates the query of a list whose rows belong to `parents` with an `id`, newest parent first. `key` is unique for each of
 * them; the cursor has the id of a parent and the key.
 */
export function childSection(
  name: string,
  parents: string,
  { key, type, data, from }: { key: string; type: KeyType; data: string; from: string },
): ReadSection {
  const parentOfCursor = `split_part($2, '|', 1)`
  const keyOfCursor = `case when parents.id = ${parentOfCursor}::uuid then split_part($2, '|', 2) end`
  return query<Row, [owner: string, before: string | null, limit: number]>(
    `export_${name}`,
    `select parents.id || '|' || rows.key as key, rows.data::text as data
       from (select id from ${parents} and id <= ${beforeCursor(parentOfCursor, 'uuid')} order by id desc) as parents
      cross join lateral (
        select ${key} as key, ${data} as data from ${from}
           and ${key} < ${beforeCursor(keyOfCursor, type)} order by ${key} desc limit $3) as rows
      order by parents.id desc, rows.key desc limit $3`,
    WHOLE_TABLE,
  )
}
