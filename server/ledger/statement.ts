import { type Db, PIPELINED, query } from '#server/database/database.ts'
import { beforeCursor } from '#server/database/keyset.ts'
import { Refusal } from '#server/http/refusal.ts'

export type StatementRow = {
  id: number
  kind: string
  title: string | null
  coins: number
  /** The debt after this transfer. */
  debt: number
  created_at: string
}
export type StatementLine = StatementRow & { balance: number }

/**
 * The start of a page: older than transfer `id`, with `balance` as the balance before it. Null: the newest transfer. A
 * transfer that gets its id before another and is committed after it can come to an older page that way, and then shifts
 * the balances there by its coins; the next statement has it in its place.
 */
type StatementPosition = { id: number; balance: number } | null

const readAccountId = query<{ id: string; account_id: number }, [emailKey: string]>(
  'statement_account',
  'select id, account_id from users where email_key = $1',
  PIPELINED,
)

// The account's balance is read in the same snapshot as its transfers, so that it contains exactly these.
const readTransfers = query<
  StatementRow & { account_balance: number },
  [account: number, before: number | null, limit: number]
>(
  'statement_transfers',
  `with transfers as materialized (
     select * from (
       (select id, kind, ref, amount as coins, created_at from ledger_transfers
         where credit = $1 and id < ${beforeCursor('$2', 'bigint')} order by id desc limit $3)
       union all
       (select id, kind, ref, -amount, created_at from ledger_transfers
         where debit = $1 and id < ${beforeCursor('$2', 'bigint')} order by id desc limit $3)
     ) as both_sides order by id desc limit $3
   ), debts as materialized (
     select amount, created_at from ledger_debts where account = $1
   ), repaid_before as materialized (
     select coalesce(sum(amount), 0) as coins from ledger_transfers
      where debit = $1 and kind = 'debt_paid' and id < (select min(id) from transfers) and exists (select from debts)
   )
   select transfers.id, statement_kind(transfers.kind, transfers.ref) as kind, tasks.title, transfers.coins, transfers.created_at,
          ((select coalesce(sum(amount), 0) from debts where created_at <= transfers.created_at)
            - (select coins from repaid_before)
            + coalesce(sum(transfers.coins) filter (where transfers.kind = 'debt_paid')
                         over (order by transfers.id), 0))::bigint as debt,
          (select balance from ledger_accounts where id = $1) as account_balance
     from transfers
     left join submissions on submissions.id = transfers.ref and transfers.kind in (
            'submission_paid', 'slot_refunded', 'slot_reopened', 'reversal_funded')
     left join task_changes on task_changes.id = transfers.ref
      and transfers.kind in ('task_fee', 'task_refunded', 'task_topped_up', 'task_reopened')
     left join tasks on tasks.id = coalesce(submissions.task_id, task_changes.task_id,
       (select task_id from reservations where id = transfers.ref and transfers.kind = 'slot_refunded'),
       (select paid.task_id from bonuses join submissions as paid on paid.id = bonuses.submission_id
         where bonuses.id = transfers.ref and transfers.kind = 'bonus_paid'), transfers.ref)
    order by transfers.id desc`,
  PIPELINED,
)

/** Returns the user with this email and their account, also of a deleted user. @throws Refusal `user_not_found`. */
export async function accountHolder(
  db: Db,
  emailKey: string | undefined,
): Promise<{ id: string; account_id: number }> {
  const [row] = await readAccountId(db, emailKey ?? '')
  if (row === undefined) throw new Refusal('user_not_found.email')
  return row
}

/** Returns the transfers of an account with the balance after each, newest first, starting at a position. */
export async function readStatement(
  db: Db,
  account: number,
  from: StatementPosition,
  limit: number,
): Promise<StatementLine[]> {
  const rows = await readTransfers(db, account, from?.id ?? null, limit)
  let balance = from?.balance ?? rows[0]?.account_balance ?? 0
  return rows.map(({ account_balance: _, ...row }) => {
    const line = { ...row, balance }
    balance -= row.coins
    return line
  })
}

/** Returns the position of the page after this line. */
export function statementPositionAfter(line: StatementLine): { id: number; balance: number } {
  return { id: line.id, balance: line.balance - line.coins }
}
