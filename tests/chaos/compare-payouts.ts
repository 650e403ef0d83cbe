import type { Database } from '#server/database/database.ts'
import { type Actor, note } from './actor.ts'
import type { Desk } from './payout-desk.ts'
import { PAYOUT_COINS } from './payouts.ts'

type PaidRow = { id: string; status: string; resent: boolean }

/** Compares what the bank paid with the requests: paid once and approved, or not paid. Returns how many were approved. */
export async function comparePayouts({ pool }: Database, desk: Desk, actors: readonly Actor[]) {
  const paid = new Map<string, number>()
  const count = (id: string) => paid.set(id, (paid.get(id) ?? 0) + 1)
  for (const { withdrawal, isPaid } of desk.bank.values()) if (isPaid) count(withdrawal)
  for (const id of desk.single) count(id)
  const { rows } = await pool.query<PaidRow>(
    `select id, status, exists (
              select from payouts join payouts as later using (withdrawal_id)
               where withdrawal_id = withdrawals.id and later.attempt > payouts.attempt and payouts.state = 'unknown') as resent
       from withdrawals`,
  )
  const lost: string[] = []
  const doubled = [...desk.violations]
  for (const { id, status, resent } of rows) {
    const times = paid.get(id) ?? 0
    if (times > 1) doubled.push(`withdrawal ${id} was paid ${times} times`)
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
export async function noteReturned({ pool }: Database, actors: readonly Actor[]): Promise<void> {
  const { rows } = await pool.query<{ id: string }>(
    `select id from withdrawals where status in ('declined', 'cancelled')`,
  )
  for (const { id } of rows) {
    const worker = actors.find(({ journal }) =>
      journal.some(({ call, made }) => call === 'withdraw' && made === id),
    )
    if (worker !== undefined) note(worker, 'returned', id, PAYOUT_COINS)
  }
}
