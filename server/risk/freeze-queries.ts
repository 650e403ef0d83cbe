import type { Freeze } from '#contract/freezes.ts'
import { query } from '#server/database/database.ts'
import { beforeCursor } from '#server/database/keyset.ts'

export type FreezeRow = {
  id: string
  number: number
  withdrawal_id: string | null
  coins: number | null
  cause: Freeze['cause']
  reason: string
  frozen_at: string
  response: string | null
  responded_at: string | null
  ended_at: string | null
  end_reason: string
  user_id: string
  name: string
  email: string
  frozen_by: string | null
  frozen_by_id: string | null
}

/** Lists freezes with their users, newest first. */
const list = <Values extends readonly unknown[]>(
  name: string,
  where: string,
  cursor: string,
  limit: string,
) =>
  query<FreezeRow, [...Values, before: number | null, limit: number]>(
    name,
    `select freezes.id, freezes.number, freezes.withdrawal_id,
            (select coins from withdrawals where id = freezes.withdrawal_id) as coins, freezes.cause, freezes.reason,
            freezes.frozen_at, freezes.response, freezes.responded_at, freezes.ended_at, freezes.end_reason,
            freezes.user_id, users.name, users.email,
            (select name from users where id = freezes.frozen_by) as frozen_by, freezes.frozen_by as frozen_by_id
       from freezes join users on users.id = freezes.user_id
      where ${where} and freezes.number < ${beforeCursor(cursor, 'bigint')}
      order by freezes.number desc limit ${limit}`,
  )

export const liveFreezes = list<[]>('freezes_live', 'freezes.ended_at is null', '$1', '$2')

/** Returns the freezes of a user and of their withdrawal requests. */
export const freezesOfUser = list<[user: string]>('freezes_of_user', 'freezes.user_id = $1', '$2', '$3')
