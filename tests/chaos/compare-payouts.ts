import type { Database } from '#server/database/database.ts'
import { type Actor, recordResponse } from './actor.ts'
import { comparePayments } from './payout-provider.ts'
import { PAYOUT_COINS } from './payouts.ts'
import type { SharedPayouts } from './shared-payouts.ts'

type PaidRow = { id: string; status: string; confirmed: number; moved: number; resent: boolean }

/**
 * Compares what the bank and the provider paid with the requests: paid once, with one confirmed payout and one transfer, or not
 * paid. Returns how many were approved.
 */
export async function comparePayouts(database: Database, payouts: SharedPayouts, actors: readonly Actor[]) {
  const { pool } = database
  const paid = new Map<string, number>()
  const count = (id: string) => paid.set(id, (paid.get(id) ?? 0) + 1)
  for (const { withdrawal, isPaid } of payouts.bank.values()) if (isPaid) count(withdrawal)
  for (const id of payouts.single) count(id)
  const provider = await comparePayments(database)
  for (const id of provider.paid) count(id)
  const { rows } = await pool.query<PaidRow>(
    `select id, status,
            (select count(*) from payouts where withdrawal_id = withdrawals.id and state = 'confirmed')::int as confirmed,
            (select count(*) from ledger_transfers where kind = 'withdrawal_paid' and ref = withdrawals.id)::int as moved,
            exists (
              select from payouts join payouts as later using (withdrawal_id)
               where withdrawal_id = withdrawals.id and later.attempt > payouts.attempt and payouts.state = 'unknown') as resent
       from withdrawals`,
  )
  const lost = provider.lost
  const doubled = [...payouts.violations, ...provider.doubled]
  for (const { id, status, confirmed, moved, resent } of rows) {
    const times = paid.get(id) ?? 0
    if (times > 1) doubled.push(`withdrawal ${id} was paid ${times} times`)
    const due = status === 'approved' ? 1 : 0
    if (confirmed !== due || moved !== due)
      doubled.push(`withdrawal ${id} is ${status} with ${confirmed} confirmed payouts and ${moved} transfers`)
    if (resent) doubled.push(`withdrawal ${id} was sent again while its outcome was unknown`)
    if (status === 'approved' && times === 0) lost.push(`withdrawal ${id} is approved and was not paid`)
    if (status !== 'approved' && status !== 'pending' && times > 0)
      doubled.push(`withdrawal ${id} was paid and returned`)
  }
  const created = actors.flatMap(({ journal }) => journal.filter(({ call }) => call === 'create batch'))
  const { rows: batches } = await pool.query<{ id: string }>('select id from payout_batches where not single')
  const ids = new Set(batches.map(({ id }) => id))
  lost.push(...created.filter(({ made }) => !ids.has(made ?? '')).map(({ made }) => `batch ${made}`))
  if (ids.size > created.length) doubled.push(`${ids.size - created.length} more batches than were created`)
  return { approved: rows.filter(({ status }) => status === 'approved').length, lost, doubled }
}

/** Writes down the coins of declined requests, which the balances must show once. */
export async function recordReturnedCoins({ pool }: Database, actors: readonly Actor[]): Promise<void> {
  const { rows } = await pool.query<{ id: string }>(
    `select id from withdrawals where status in ('declined', 'cancelled')`,
  )
  for (const { id } of rows) {
    const worker = actors.find(({ journal }) =>
      journal.some(({ call, made }) => call === 'withdraw' && made === id),
    )
    if (worker !== undefined) recordResponse(worker, 'returned', id, PAYOUT_COINS)
  }
}
