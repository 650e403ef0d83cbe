import type { PayoutProviderName } from '#contract/payouts.ts'
import type { Config } from '#server/config.ts'
import { type Database, type Db, query, queryOne } from '#server/database/database.ts'
import { processDueRows } from '#server/database/process-due-rows.ts'
import { DuplicateReference, type PayoutOrder, type PayoutOutcome, type PayoutProvider } from './provider.ts'
import { createSandboxPayouts } from './sandbox-provider.ts'

/** What creates each payout provider. */
const PROVIDERS: Record<PayoutProviderName, (database: Database, config: Config) => PayoutProvider> = {
  sandbox: createSandboxPayouts,
}

/** Returns the payout provider, or null where payouts are made by hand or by files. */
export function payoutProvider(database: Database, config: Config): PayoutProvider | null {
  const { payoutProvider: name } = config
  return name === 'none' ? null : PROVIDERS[name](database, config)
}

const payoutsOfOtherProviders = query<{ provider: string; payouts: number }, [configured: string]>(
  'payouts_of_other_providers',
  `select provider, count(*)::int as payouts
     from (select (select provider from payout_batches where id = batch_id) as provider
             from payouts where state in ('sent', 'unknown')) as waiting
    where provider <> $1 group by provider order by provider`,
)

/** Returns a warning for each provider that is not configured and has payouts without an outcome: they are neither sent nor queried. */
export async function payoutWarnings(
  db: Db,
  { payoutProvider: name }: Pick<Config, 'payoutProvider'>,
): Promise<string[]> {
  return (await payoutsOfOtherProviders(db, name)).map(
    ({ provider, payouts }) =>
      `PAYOUT_PROVIDER is ${name}: payouts that wait for the provider ${provider}, and are neither sent nor queried: ${payouts}. Configure it, or mark those that were not submitted as failed on Dashboard → Payouts.`,
  )
}

const payoutsToSubmit = query<{ id: string }, [provider: string, limit: number]>(
  'payouts_to_submit',
  `select payouts.id from payouts
    where state = 'sent' and submitted_at is null
      and exists (select from payout_batches where id = batch_id and provider = $1)
    order by sent_at, payouts.id limit $2`,
)
const submitPayout = queryOne<{ submitted: boolean }, [payout: string]>(
  'submit_payout',
  'select submit_payout($1) as submitted',
)
type OrderRow = {
  reference: string
  payment_system: PayoutOrder['system']
  account_number: string
  holder_name: string
  cents: number
  poisha: number | null
  may_send: boolean
}
const readOrder = queryOne<OrderRow, [payout: string]>(
  'payout_order',
  `select reference, payment_system, account_number, holder_name, cents, poisha,
          state = 'sent' and submitted_at > clock_time() - interval '10 minutes' as may_send from payouts where id = $1`,
)
const confirmPayout = query<never, [payout: string, transactionId: string, feePoisha: number | null]>(
  'provider_payout_confirm',
  `select confirm_payout($1, 'provider', null, $2, $3)`,
)
const failPayout = query<never, [payout: string, reason: string]>(
  'provider_payout_fail',
  `select fail_payout($1, 'provider', null, $2, false)`,
)
const markUnknown = query<never, [payout: string, reason: string]>(
  'provider_payout_unknown',
  `select mark_payout_unknown($1, 'provider', null, $2)`,
)

/**
 * Gives released payouts of payout batches with a provider to it, each once: it is marked before the provider is called. When
 * the server dies in between, the status query finds out. A payout that was marked more than ten minutes ago, or has an outcome
 * meanwhile, is not given: `queryPayouts` fails one that the provider does not know after an hour, so that no request of it may be
 * in flight then (`PayoutProvider.pay`). Returns the number of payouts given.
 */
export async function sendPayouts(database: Database, provider: PayoutProvider | null): Promise<number> {
  if (provider === null) return 0
  const readDue = (db: Db, limit: number) => payoutsToSubmit(db, provider.name, limit)
  return processDueRows(database, readDue, async (id) => {
    const { submitted } = await submitPayout(database, id)
    if (!submitted) return false
    const row = await readOrder(database, id)
    if (!row.may_send) return false
    const { reference, payment_system: system, account_number: accountNumber, holder_name: holderName } = row
    try {
      const order = { reference, system, accountNumber, holderName, cents: row.cents, poisha: row.poisha }
      await settle(database, id, await provider.pay(order))
    } catch (error) {
      const reason =
        error instanceof DuplicateReference ? 'The provider has this payment already' : String(error)
      await markUnknown(database, id, reason)
    }
    return true
  })
}

const payoutsToQuery = query<
  { id: string; reference: string; is_old: boolean },
  [provider: string, after: string | null, limit: number]
>(
  'payouts_to_query',
  `select payouts.id, reference, submitted_at < clock_time() - interval '1 hour' as is_old from payouts
    where state in ('sent', 'unknown') and submitted_at < clock_time() - interval '1 minute'
      and payouts.id > coalesce($2::uuid, '00000000-0000-0000-0000-000000000000')
      and exists (select from payout_batches where id = batch_id and provider = $1)
    order by payouts.id limit $3`,
)
const PAGE = 200

/**
 * Asks the provider about payouts without an outcome. One that it does not know an hour after it was submitted has failed:
 * no request of it can still be in flight. Nothing is sent again. Returns the number of payouts settled.
 * @throws AggregateError with the failures, after all other payouts.
 */
export async function queryPayouts(database: Database, provider: PayoutProvider | null): Promise<number> {
  let settled = 0
  if (provider === null) return settled
  const failures: unknown[] = []
  for (let after: string | null = null; ; ) {
    const due = await payoutsToQuery(database, provider.name, after, PAGE)
    for (const { id, reference, is_old } of due) {
      try {
        const outcome =
          (await provider.find(reference)) ??
          (is_old ? ({ state: 'failed', reason: 'The provider never received it' } as const) : null)
        if (outcome !== null && (await settle(database, id, outcome))) settled++
      } catch (error) {
        failures.push(error)
      }
    }
    after = due.at(-1)?.id ?? null
    if (due.length < PAGE) break
  }
  if (failures.length > 0)
    throw new AggregateError(failures, `${failures.length} payouts could not be queried`)
  return settled
}

/** Books an outcome. Returns false for one that is not final. */
async function settle(database: Database, id: string, outcome: PayoutOutcome): Promise<boolean> {
  if (outcome.state === 'pending') return false
  if (outcome.state === 'confirmed')
    await confirmPayout(database, id, outcome.transactionId, outcome.feePoisha)
  else await failPayout(database, id, outcome.reason)
  return true
}
