import { type Db, PIPELINED, query, queryOne } from '#server/database/database.ts'
import { beforeCursor } from '#server/database/keyset.ts'
import { Refusal } from '#server/http/refusal.ts'

export type StatementRow = {
  id: number
  kind: string
  title: string | null
  coins: number
  created_at: string
}
export type StatementLine = StatementRow & { balance: number }

/** Where a page of the statement goes on: after this transfer, with this balance before it. Null: from the newest. */
export type Position = { id: number; balance: number } | null

const accountOf = query<{ account_id: number }, [emailKey: string]>(
  'statement_account',
  'select account_id from users where email_key = $1',
  PIPELINED,
)

// The newest movements and the balance they lead to, in one snapshot.
const movements = query<StatementRow, [account: number, before: number | null, limit: number]>(
  'statement_movements',
  `with moves as materialized (
     select * from (
       (select id, kind, ref, amount as coins, created_at from ledger_transfers
         where credit = $1 and id < ${beforeCursor('$2', 'bigint')} order by id desc limit $3)
       union all
       (select id, kind, ref, -amount, created_at from ledger_transfers
         where debit = $1 and id < ${beforeCursor('$2', 'bigint')} order by id desc limit $3)
     ) as both_sides order by id desc limit $3
   )
   select moves.id, moves.kind, tasks.title, moves.coins, moves.created_at
     from moves
     left join submissions on submissions.id = moves.ref and moves.kind in ('submission_paid', 'slot_refunded')
     left join tasks on tasks.id = coalesce(submissions.task_id, moves.ref)
    order by moves.id desc`,
  PIPELINED,
)
const newest = queryOne<{ balance: number; id: number | null }, [account: number]>(
  'statement_newest',
  `select balance, greatest((select max(id) from ledger_transfers where credit = $1),
                            (select max(id) from ledger_transfers where debit = $1)) as id
     from ledger_accounts where id = $1`,
  PIPELINED,
)

/** The account of whoever has this address, also of somebody deleted. Refuses `user_not_found`. */
export async function accountOfEmail(db: Db, emailKey: string | undefined): Promise<number> {
  const [row] = await accountOf(db, emailKey ?? '')
  if (row === undefined) throw new Refusal('user_not_found', 'No user is registered with this email.')
  return row.account_id
}

/** Movements of an account with the balance after each, newest first, from a position on. */
export async function readStatement(
  db: Db,
  account: number,
  from: Position,
  limit: number,
): Promise<StatementLine[]> {
  const start = from ?? (await beginning(db, account))
  if (start === null) return []
  const rows = await movements(db, account, start.id, limit)
  let { balance } = start
  return rows.map((row) => {
    const line = { ...row, balance }
    balance -= row.coins
    return line
  })
}

/** Before the newest movement: a movement that comes in between is on the next statement. */
async function beginning(db: Db, account: number): Promise<Position> {
  const { id, balance } = await newest(db, account)
  return id === null ? null : { id: id + 1, balance }
}

/** Where the page after this line goes on. */
export function statementPositionAfter(line: StatementLine): { id: number; balance: number } {
  return { id: line.id, balance: line.balance - line.coins }
}
