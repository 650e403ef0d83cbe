import { type Db, queryOne } from '#server/database/database.ts'
import { Refusal } from '#server/http/refusal.ts'

const readRefund = queryOne<{ refunded: boolean; balance: number }, [account: number, coins: number]>(
  'task_refund_exists',
  `select exists (select from ledger_transfers where kind = 'task_refunded' and credit = $1 and amount = $2) as refunded,
          balance from ledger_accounts where id = $1`,
)

/**
 * Confirms the refund of a deleted task, for clients that request it separately (docs/specification/tasks.md). Moves no
 * coins. Returns the balance if the ledger contains a task refund of exactly this amount.
 * @throws Refusal `refund_mismatch` otherwise.
 */
export async function confirmRefund(db: Db, accountId: number, coins: number): Promise<number> {
  const { refunded, balance } = await readRefund(db, accountId, coins)
  if (!refunded) throw new Refusal('refund_mismatch')
  return balance
}
