import type { CardCase } from '#contract/card-reconciliation.ts'
import { query, queryOne, WHOLE_TABLE } from '#server/database/database.ts'
import type { Cards } from './settle.ts'
import { storeSyncTime, syncSince } from './sync-time.ts'

/** Transactions may appear late; the days before the last run are read again. */
const OVERLAP_DAYS = 3

const insertTransactions = query<never, [rows: string]>(
  'card_transactions_insert',
  `insert into card_transactions
     (id, type, category, source_id, intent_id, cents, fee_cents, net_cents, currency, created_at, available_at)
   select id, type, category, "sourceId", "intentId", cents, "feeCents", "netCents", currency, "createdAt", "availableAt"
     from jsonb_to_recordset($1::jsonb) as given(id text, type text, category text, "sourceId" text, "intentId" text,
          cents bigint, "feeCents" bigint, "netCents" bigint, currency text, "createdAt" timestamptz, "availableAt" timestamptz)
   on conflict (id) do nothing`,
)
/** Stores since when transactions are copied, once. An installation that has copied some already does so since the first of them. */
const storeStart = query<never, [since: string]>(
  'card_transactions_store_start',
  `insert into installation (name, value)
   select 'card_transactions_from',
          to_jsonb(iso_time(least($1::timestamptz, (select min(created_at) from card_transactions))))
   on conflict (name) do nothing`,
)
const updateCardCases = queryOne<{ opened: number }, []>(
  'update_card_cases',
  'select update_card_cases() as opened',
  WHOLE_TABLE,
)

/**
 * Copies the balance transactions of the provider since the last run, and opens a card case for every difference from our
 * payments (docs/payments.md#reconciliation). The sandbox has no balance. Returns the number of opened cases.
 */
export async function reconcileBalance({ database, cards }: Cards): Promise<number> {
  if (cards.mode === 'sandbox') return 0
  const startedAt = new Date()
  const since = await syncSince(database, 'card_transactions_until', OVERLAP_DAYS)
  await storeStart(database, since)
  for (let cursor: string | null = null; ; ) {
    const page: Awaited<ReturnType<typeof cards.listTransactions>> = await cards.listTransactions(
      since,
      cursor,
    )
    await insertTransactions(database, JSON.stringify(page.transactions))
    if (page.next === null) break
    cursor = page.next
  }
  await storeSyncTime(database, 'card_transactions_until', startedAt.toISOString())
  return (await updateCardCases(database)).opened
}

type TotalsRow = {
  until: string | null
  charged: number
  refunded: number
  disputed: number
  fees: number
  payouts: number
  tax: number
}
/** Returns the totals of the provider's balance in cents, without transactions in another currency. Fees are those of charges and disputes and those of the
 * account. The tax is that of our receipts: the operator owes it, and it is part of what was charged. */
export const transactionTotals = queryOne<TotalsRow, []>(
  'card_transactions_totals',
  `select (select value #>> '{}' from installation where name = 'card_transactions_until') as until,
          coalesce(sum(cents) filter (where type in ('charge', 'payment')), 0)::bigint as charged,
          -coalesce(sum(cents) filter (where category like 'refund%'), 0)::bigint as refunded,
          -coalesce(sum(cents) filter (where category like 'dispute%'), 0)::bigint as disputed,
          (coalesce(sum(fee_cents), 0) - coalesce(sum(cents) filter (where category = 'fee'), 0))::bigint as fees,
          -coalesce(sum(cents) filter (where category like 'payout%'), 0)::bigint as payouts,
          (select coalesce(sum((tax ->> 'cents')::bigint * case kind when 'refund' then -1 else 1 end), 0)::bigint
             from receipts where tax is not null) as tax
     from card_transactions where currency = 'usd'`,
  WHOLE_TABLE,
)

export type CardCaseRow = {
  id: string
  kind: CardCase['kind']
  intent_id: string
  provider_cents: number
  our_cents: number
  opened_at: string
  resolved_at: string | null
  note: string
  admin_id: string | null
  admin_name: string | null
}
/** Returns open card cases first, oldest first, then those resolved last. */
export const listCardCases = query<CardCaseRow, []>(
  'card_cases_list',
  `select card_cases.id, kind, intent_id, provider_cents, our_cents, opened_at, resolved_at, note, resolved_by as admin_id,
          users.name as admin_name
     from card_cases left join users on users.id = card_cases.resolved_by
    order by resolved_at desc nulls first, opened_at, card_cases.id limit 200`,
)
export const resolveCardCase = query<never, [id: string, adminId: string, note: string]>(
  'resolve_card_case',
  'select resolve_card_case($1, $2, $3)',
)

export type TransactionRow = {
  id: string
  type: string
  category: string
  source_id: string | null
  intent_id: string | null
  cents: number
  fee_cents: number
  net_cents: number
  currency: string
  created_at: string
  available_at: string
}
/** Returns the transactions after one, oldest first. */
export const transactionsAfter = query<TransactionRow, [after: string | null, id: string, count: number]>(
  'card_transactions_after',
  `select id, type, category, source_id, intent_id, cents, fee_cents, net_cents, currency, created_at, available_at
     from card_transactions where (created_at, id) > (coalesce($1::timestamptz, '-infinity'), $2)
    order by created_at, id limit $3`,
)
/** The columns of the file of all transactions. */
export const TRANSACTION_COLUMNS = [
  'created_at',
  'available_at',
  'id',
  'type',
  'category',
  'source_id',
  'intent_id',
  'cents',
  'fee_cents',
  'net_cents',
  'currency',
] as const
