import type pg from 'pg'
import type { Statement } from '#server/database/database.ts'
import { ownFunctions } from '#server/database/function-set.ts'
import { allStatements } from '#tests/support/statements.ts'
import { type Grows, growsIn, type Plan } from './judge.ts'

/** Tables with fewer rows are read whole because that is quicker; whether an index could is asked without statistics. */
const LARGE_ROWS = 5_000

/** With these off, a plan reads a table from end to end only where no index can serve it. */
const INDEXES_ONLY = 'set enable_seqscan = off; set enable_mergejoin = off; set enable_hashjoin = off'

/**
 * Plans every statement of the server as it runs after some calls, with its parameters unknown, and returns what in
 * them grows with the marketplace, by statement: as PostgreSQL would run it now where a table is large already, and
 * whether an index can serve it at all where not. Statements with a reason are left out.
 */
export async function growingStatements(
  client: pg.ClientBase,
  reasons: Reason[],
): Promise<Map<string, string[]>> {
  const judged = [...(await allStatements()).values()].filter(
    ({ name, sql }) => !NO_PLAN.test(sql) && !reasons.some(([pattern]) => pattern.test(name)),
  )
  const { rows } = await client.query<{ relname: string }>(
    `select relname from pg_class where relkind = 'r' and reltuples >= ${LARGE_ROWS}`,
  )
  const large = new Set(rows.map(({ relname }) => relname))
  const index = await growingIndexes(client)
  const growing = await judgeAll(client, judged, { table: (name) => large.has(name), index })
  await client.query(INDEXES_ONLY)
  for (const [name, found] of await judgeAll(client, judged, { table: (name) => !SMALL.has(name), index }))
    growing.set(name, found)
  await client.query('reset all')
  return growing
}

/** Returns whether an index grows. One of an earlier partition that holds nothing does not: its rows are not of this kind any more. */
async function growingIndexes(client: pg.ClientBase): Promise<(index: string) => boolean> {
  const { rows } = await client.query<{ name: string }>(
    `select relname as name from pg_class join pg_index on indexrelid = pg_class.oid
      where relispartition and relkind = 'i' and reltuples = 0 and indpred is not null`,
  )
  const empty = new Set(rows.map(({ name }) => name))
  return (index) => !empty.has(index)
}

async function judgeAll(
  client: pg.ClientBase,
  judged: Statement[],
  grows: Grows,
): Promise<Map<string, string[]>> {
  const growing = new Map<string, string[]>()
  for (const { name, sql } of judged) {
    const { rows } = await client.query<{ 'QUERY PLAN': [{ Plan: Plan }] }>(
      `explain (generic_plan, format json) ${ownFunctions().qualify(sql)}`,
    )
    const found = rows[0] === undefined ? [] : growsIn(rows[0]['QUERY PLAN'][0].Plan, grows)
    // `offset 0` skips nothing: it keeps the planner from merging a subselect.
    if (/\boffset\b(?! 0\b)/i.test(sql)) found.push('pages by offset')
    if (found.length > 0) growing.set(name, found)
  }
  return growing
}

/** What PostgreSQL has no plan for, and the tables of pg-boss, which plans its own. */
const NO_PLAN = /^\s*(savepoint|rollback|begin|commit|listen|notify|set|truncate)\b|\bjobs\.\w/i

/** Tables that stay small, or are emptied as fast as they fill; sequential scans are harmless. */
const SMALL = new Set([
  'last_backup',
  'signing_keys',
  'installation',
  'schema_migrations',
  'schema_functions',
  'function_sets',
  'live_sequence',
  'replica_tokens',
  'outbox',
  'outbox_groups',
  'requests_to_assess',
  'transfer_totals',
  'transfer_totals_watermark',
  'unmatched_payments',
  'payment_refunds',
  'payment_disputes',
  'dispute_evidence',
  'card_cases',
  'payout_file_profiles',
  'payout_statements',
  'payout_cases',
  'pg_proc',
  'pg_class',
  'pg_namespace',
])

export type Reason = [statement: RegExp, why: string]

/** Statements whose work may grow, and why. */
export const REASONS: Reason[] = [
  [/^reviews_open_of$/, 'A reviewer has few open reviews.'],
  [
    /^(appeal_statistics_\w+|reviewers_all)$/,
    'For one screen of the Admins: rejections that are not final, all appeals and reviews, all users.',
  ],
  [/^records_watermark(_move)?$/, 'A table of one row.'],
  [/^(audit_\w+|ledger_totals)$/, 'The audit reads everything: that is what it is for.'],
  [
    /^(stats_marketplace\w*|stats_coin_flow_by_day|stats_books_difference|top_workers)$/,
    'Totals over all users, computed once for concurrent requests (server/database/cached-query.ts).',
  ],
  [
    /^(users_table_(totals\w*|\w+_flag(_search)?|(balance|seen|tasks|work|approval)_\w+)|payments_(search_)?totals_of_\w+|admin_actions_count\w*|payout_batches_totals|withdrawals_file_count)$/,
    'For tables of the Admins: sums and orders over what a filter finds (docs/decisions/0057-tables-of-admins.md).',
  ],
  [
    /^payment_timeline$/,
    'For one screen of the Admins: the bonuses and the debits of one buyer, and the withdrawals of at most two hundred workers.',
  ],
  [/^card_transactions_totals$/, "Totals of the card processor's balance, on one screen of the Admins."],
  [
    /^(purge_\w+|\w+_(clean|purge)|card_events_purge|images_lock_unused)$/,
    'Deletes what has expired, by the hour, in batches.',
  ],
  [
    /^card_customers_claim_deleted$/,
    'Looks through the customers of the card processor hourly, in the background.',
  ],
  [/^sizes_read$/, 'A row per table and day, of 30 days: their number does not grow with users or tasks.'],
  [
    /^(rate_limit_refund|card_events_claim_due)$/,
    'The table empties itself: minutes of attempts, events not yet processed.',
  ],
  [
    /^(card_mode_claim|demo_\w+)$/,
    'Runs when the server starts, and stops at the first row or reads demo data.',
  ],
  [/^payouts_of_other_providers$/, 'Runs when the server starts, over the payouts in flight.'],
  [/^restored_payouts_count$/, 'Runs once, after a restore.'],
  [
    /^(openid_link|identity_sign_in_methods|purchase_close|task_text_of_submission|task_progress|push_notification|payout_file_rows)$/,
    'Has its key; while the table, or the part of it that an index holds, is empty, any index will do.',
  ],
  [
    /^submissions_of_worker_(in_states|matching)(_packed)?$/,
    "The wire's page number over one worker's own work; a cursor continues after a row.",
  ],
]

/** Reasons of a small database, beside the others. */
export const WHILE_FEW: Reason[] = [
  [
    /^(tasks_(open|workers)|managed_open)_by_[a-z]+(_next)?(_search|_reward|_category)+(_packed)?$/,
    'The nearest thousand of a few thousand open tasks are found sooner by sorting all; with more, their order has its index.',
  ],
  [
    /^(tasks|managed)_all_by_[a-z]+(_next)?(_reward)?_category(_packed)?$/,
    'Of a few hundred open tasks a seventh is found as soon by reading all; with more, the category has its index.',
  ],
  [
    /^(user_overview(_appeals|_cards|_destinations|_links)?|users_by_trace)$/,
    'For one screen of the Admins: rows of one user or with one value, by their indexes once the tables have more than a page.',
  ],
  [
    /^(my_workers|test_batches_of_task)$/,
    'The few qualifications of a worker or a task, by their keys once there is more than a page of qualifications.',
  ],
  [
    /^projects_of_buyer$/,
    'The batches of a project, by their index once there is more than a page of batches.',
  ],
  [
    /^(payments_search_of_\w+|users_table_(joined|name)_\w+)$/,
    'A page of payments or users, which an index finds, is read by keys once that is less than all of some thousand rows.',
  ],
  [/^caller_of_api_key$/, 'By the unique index of the hash once there is more than a page of keys.'],
]
