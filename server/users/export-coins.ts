import { knownLocale } from '#contract/locales.ts'
import { REASON_TEXT } from '#server/risk/present-freeze.ts'
import { type Sections, section } from './export-section.ts'

const storedFreezes = section(
  'freezes',
  'number',
  'bigint',
  `to_jsonb(freezes) - 'user_id' - 'frozen_by' - 'ended_by'
     || jsonb_build_object('locale', (select locale from users where id = user_id))`,
  'freezes where user_id = $1',
)

/** Words the reasons in a freeze's JSON in the user's language. */
function withReasons(data: string): string {
  const { locale, ...row } = JSON.parse(data)
  const textOf = REASON_TEXT[knownLocale(locale)]
  return JSON.stringify({ ...row, reason: textOf(row.reason), end_reason: textOf(row.end_reason) })
}

/** Lists of the export about coins and money. */
export const COIN_SECTIONS: Sections = {
  bonuses: section(
    'bonuses',
    'bonuses.id',
    'uuid',
    `to_jsonb(bonuses) - 'worker_id' - 'buyer_id' || jsonb_build_object('given', buyer_id = $1)`,
    'bonuses where $1 in (worker_id, buyer_id)',
  ),
  movements_of_coins: section(
    'transfers',
    'ledger_transfers.id',
    'bigint',
    `jsonb_build_object('number', ledger_transfers.id, 'kind', kind, 'ref', ref, 'time', ledger_transfers.created_at,
       'coins', case when credit = account_id then amount else -amount end)`,
    'ledger_transfers join users on account_id in (debit, credit) where users.id = $1',
  ),
  purchases: section(
    'purchases',
    'id',
    'uuid',
    `to_jsonb(purchases) - 'user_id'`,
    'purchases where user_id = $1',
  ),
  payments: section(
    'payments',
    'number',
    'bigint',
    `to_jsonb(payments) - 'user_id' || jsonb_build_object(
       'refunds', (select coalesce(jsonb_agg(to_jsonb(refunds) - 'payment_id' - 'reason' - 'needs_second' - 'requested_by' - 'decided_by' - 'attempts'
                                             order by requested_at), '[]')
                     from payment_refunds as refunds where payment_id = payments.id),
       'disputes', (select coalesce(jsonb_agg(to_jsonb(disputes) - 'payment_id' - 'status_known' - 'revision' order by opened_at), '[]')
                      from payment_disputes as disputes where payment_id = payments.id),
       'reversals', (select coalesce(jsonb_agg(to_jsonb(reversals) - 'payment_id' order by created_at), '[]')
                       from payment_reversals as reversals where payment_id = payments.id))`,
    'payments where user_id = $1',
  ),
  unmatched_payments: section(
    'unmatched_payments',
    'id',
    'uuid',
    `to_jsonb(unmatched_payments) - 'user_id' - 'reason' - 'requested_by' - 'requested_decision' - 'decided_by' - 'refund_attempts' - 'revision' - 'contained_at'`,
    'unmatched_payments where user_id = $1',
  ),
  card_declines: section(
    'card_declines',
    'id',
    'text',
    `jsonb_build_object('declined_at', declined_at)`,
    'card_declines where user_id = $1',
  ),
  card_limit_hits: section(
    'card_limit_hits',
    'day',
    'date',
    `jsonb_build_object('day', day, 'hits', hits)`,
    'card_limit_hits where user_id = $1',
  ),
  receipts: section(
    'receipts',
    'id',
    'uuid',
    `to_jsonb(receipts) - 'user_id'`,
    'receipts where user_id = $1',
  ),
  withdrawals: section(
    'withdrawals',
    'id',
    'uuid',
    `to_jsonb(withdrawals) - 'worker_id' - 'hold_id' - 'decided_by' || jsonb_build_object(
       'payouts', (select coalesce(jsonb_agg(to_jsonb(payouts) - 'withdrawal_id' - 'batch_id' - 'claimed_by' - 'claimed_at' - 'settled_by'
                                             order by attempt), '[]')
                     from payouts where withdrawal_id = withdrawals.id and state <> 'removed'))`,
    'withdrawals where worker_id = $1',
  ),
  freezes: async (...page) =>
    (await storedFreezes(...page)).map(({ key, data }) => ({ key, data: withReasons(data) })),
  payout_destinations: section(
    'payout_destinations',
    'id',
    'uuid',
    `to_jsonb(payout_destinations) - 'user_id' - 'slot'`,
    'payout_destinations where user_id = $1',
  ),
}
