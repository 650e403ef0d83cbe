import { type Db, queryOne } from '#server/database/database.ts'
import { Refusal } from '#server/http/refusal.ts'

const refundOf = queryOne<{ refunded: boolean; balance: number }, [account: number, coins: number]>(
  'refund_of',
  `select exists (select from ledger_transfers where kind = 'task_refunded' and credit = $1 and amount = $2) as refunded,
          balance from ledger_accounts where id = $1`,
)

/**
 * Confirms the refund of a deletion, for clients that ask for it afterwards (docs/specification/tasks.md). Moves no
 * coins. Returns the balance if the ledger holds a task refund of exactly these coins.
 * @throws Refusal `refund_mismatch` otherwise.
 */
export async function confirmRefund(db: Db, accountId: number, coins: number): Promise<number> {
  const { refunded, balance } = await refundOf(db, accountId, coins)
  if (!refunded) throw new Refusal('refund_mismatch')
  return balance
}
