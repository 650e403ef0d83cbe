import { query } from '#server/database/database.ts'
import { orLast } from '#server/database/keyset.ts'

export type RecordRow = { id: number; content: string; hash: Buffer }

export const recordNewestFirst = query<RecordRow, [before: number | null, limit: number]>(
  'record_newest_first',
  `select id, content, hash from admin_record where id < ${orLast('$1', 'bigint')} order by id desc limit $2`,
)

export const recordFrom = query<RecordRow, [after: number, limit: number]>(
  'record_from',
  'select id, content, hash from admin_record where id > $1 order by id limit $2',
)
