import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import type { Payout } from '#contract/payouts.ts'
import { type Database, openDatabase } from '#server/database/database.ts'
import type { PayoutProvider } from '#server/payouts/provider.ts'
import { createSandboxPayouts } from '#server/payouts/sandbox-provider.ts'
import { queryPayouts, sendPayouts } from '#server/payouts/send.ts'
import { later } from '#tests/support/clock.ts'
import { LONG_TIMEOUTS } from '#tests/support/database.ts'
import { eventually } from '#tests/support/eventually.ts'
import { type Actor, retryUntilFinal, type SharedState } from './actor.ts'

/**
 * Endings of account numbers at the sandbox provider: paid at once, timed out and paid, timed out and lost, failed, failed
 * later, and paid later.
 */
const ENDINGS = ['10', '91', '92', '93', '94', '95']

/** Returns the ending of the account number of a request that the provider pays: each kind in turn. */
export const providerEnding = (index: number): string => ENDINGS[index % ENDINGS.length] ?? '10'

/** A process that gives payouts to the provider and queries their outcomes, beside the server's own jobs. */
export type PayoutSender = { kill(): Promise<void>; restart(): Promise<void> }

export function startPayoutSender(databaseUrl: string): PayoutSender {
  const start = () =>
    fork(join(import.meta.dirname, 'payout-sender.ts'), {
      env: { ...process.env, DATABASE_URL: databaseUrl },
      execArgv: [],
      stdio: 'ignore',
    })
  let child: ChildProcess = start()
  const kill = async () => {
    if (child.exitCode !== null || child.signalCode !== null) return
    const gone = once(child, 'exit')
    child.kill('SIGKILL')
    await gone
  }
  return {
    kill,
    async restart() {
      await kill()
      child = start()
    },
  }
}

/** Tries to confirm by an Admin's word a payout that the provider makes: only a repetition is accepted. */
export async function confirmForProvider(
  shared: SharedState,
  admin: Actor,
  { _id: id }: Payout,
): Promise<void> {
  const { status, body } = await retryUntilFinal(shared, admin, 'POST', `/payouts/${id}/confirm`, {})
  if (status === 200 && body.modifiedCount > 0)
    shared.payouts.violations.push(`payout ${id} was confirmed by an Admin, and the provider makes it`)
}

export const PROVIDER_STATES = ['confirmed', 'failed', 'unknown'] as const
export type ProviderCounts = Record<(typeof PROVIDER_STATES)[number], number>

/** Returns how many payouts that were given to the provider are in each state. None while the database is down. */
export async function countAtProvider({ pool }: Database): Promise<ProviderCounts> {
  const counts: ProviderCounts = { confirmed: 0, failed: 0, unknown: 0 }
  const { rows } = await pool
    .query<{ state: keyof ProviderCounts; payouts: number }>(
      `select payouts.state, count(*)::int as payouts from payouts join payout_batches on payout_batches.id = batch_id
        where provider is not null and submitted_at is not null and payouts.state in ('confirmed', 'failed', 'unknown')
        group by 1`,
    )
    .catch(() => ({ rows: [] }))
  for (const { state, payouts } of rows) counts[state] = payouts
  return counts
}

/**
 * Sends what waits for the provider, and settles what is in flight there as more than an hour later. The server and the
 * sender must have ended: a payout that one of them is giving to the provider would be declared lost.
 */
export async function settleAtProvider(direct: Database, connectionString: string): Promise<void> {
  await eventually(async () => {
    const { rowCount } = await direct.pool.query(
      `select from pg_stat_activity where backend_type = 'client backend' and state <> 'idle' and pid <> pg_backend_pid()`,
    )
    return rowCount === 0
  })
  await sendPayouts(direct, createSandboxPayouts(direct))
  const options = `-c tallywork.clock=${later(new Date(), { hours: 2 }).toISOString()}`
  const afterwards = openDatabase({ connectionString, options, ...LONG_TIMEOUTS }, { max: 4, prepare: true })
  try {
    await eventually(async () => {
      await queryPayouts(afterwards, createSandboxPayouts(afterwards))
      const { rowCount } = await direct.pool.query(
        `select from payouts join payout_batches on payout_batches.id = batch_id
          where provider is not null and payouts.state in ('sent', 'unknown')`,
      )
      return rowCount === 0
    })
  } finally {
    await afterwards.close()
  }
}

/** Compares the payouts of provider batches with what the provider did. Returns the withdrawals that it paid. */
export async function comparePayments(database: Database) {
  const provider: PayoutProvider = createSandboxPayouts(database)
  const { rows } = await database.pool.query<{ reference: string; state: string; withdrawal_id: string }>(
    `select reference, payouts.state, withdrawal_id from payouts join payout_batches on payout_batches.id = batch_id
      where provider is not null`,
  )
  const paid: string[] = []
  const lost: string[] = []
  const doubled: string[] = []
  for (const { reference, state, withdrawal_id } of rows) {
    const isPaid = (await provider.find(reference))?.state === 'confirmed'
    if (isPaid) paid.push(withdrawal_id)
    if (isPaid && state !== 'confirmed')
      lost.push(`payout ${reference} was paid by the provider and is ${state}`)
    if (!isPaid && state === 'confirmed') doubled.push(`payout ${reference} is confirmed and was not paid`)
  }
  return { paid, lost, doubled }
}
