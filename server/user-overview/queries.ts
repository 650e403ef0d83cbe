import type { Role } from '#contract/endpoint.ts'
import type { PaymentSystem } from '#contract/product.ts'
import type { LinkKind, SEARCH_KINDS } from '#contract/user-overview.ts'
import type { WithdrawalStatus } from '#contract/withdrawals.ts'
import { query } from '#server/database/database.ts'
import { destinationKeysOf, isHeldBy } from './destination-keys.ts'

const LATEST = 50
/** The most pieces of work each way that are added up: a large buyer has millions. */
export const WORKS_MAX = 10_000
/** Networks with more users, like those of mobile carriers, link nobody. */
const NETWORK_USERS_MAX = 20

export type UserRow = {
  id: string
  name: string
  email: string
  image: string
  role: Role
  is_reviewer: boolean
  joined_at: string
  last_seen_at: string | null
  deleted_at: string | null
  is_frozen: boolean
  coins: number
  debt: number
  coins_on_hold: number
  coins_in_escrow: number
  paid_in_cents: number
  returned_cents: number
  paid_out_cents: number
  requested_cents: number
  tasks: number
  approved: number
  rejected: number
  pending: number
  appeals: number
  appeals_against: number
}

/** Returns a user with their totals, also a deleted one. */
export const userWithTotals = query<UserRow, [user: string]>(
  'user_overview',
  `select users.id, users.name, users.email, users.image, users.role, users.is_reviewer, users.created_at as joined_at,
          (select max(seen_at) from sessions where identity_id = users.id) as last_seen_at, users.deleted_at,
          is_frozen(users.id) as is_frozen,
          accounts.balance as coins, accounts.debt, requests.on_hold as coins_on_hold, escrows.coins as coins_in_escrow,
          card.cents as paid_in_cents, card.returned as returned_cents, requests.paid_out as paid_out_cents,
          requests.requested as requested_cents, escrows.tasks, work.approved, work.rejected, work.pending,
          (select count(*) from appeals where worker_id = users.id) as appeals, against.appeals as appeals_against
     from users join ledger_accounts as accounts on accounts.id = users.account_id
     cross join lateral (
       select coalesce(sum(coins) filter (where status = 'pending'), 0)::bigint as on_hold,
              coalesce(sum(amount_cents) filter (where status = 'pending'), 0)::bigint as requested,
              coalesce(sum(amount_cents) filter (where status = 'approved'), 0)::bigint as paid_out
         from withdrawals where worker_id = users.id) as requests
     cross join lateral (
       select count(*) as tasks, coalesce(sum(escrow.balance), 0)::bigint as coins
         from tasks join ledger_accounts as escrow on escrow.id = tasks.escrow_id where tasks.buyer_id = users.id) as escrows
     cross join lateral (
       select coalesce(sum(amount_cents), 0)::bigint as cents, coalesce(sum(reversed_cents), 0)::bigint as returned
         from payments where user_id = users.id) as card
     cross join lateral (
       select count(*) filter (where status = 'approved') as approved,
              count(*) filter (where status = 'rejected' and decided_by is distinct from 'worker_left') as rejected,
              count(*) filter (where status not in ('approved', 'rejected')) as pending
         from submissions where worker_id = users.id) as work
     cross join lateral (
       select count(*) as appeals
         from (select id from submissions where buyer_id = users.id and rejected_at is not null limit ${WORKS_MAX}) as rejections
         join appeals on appeals.submission_id = rejections.id) as against
    where users.id = $1`,
)

export type DestinationRow = {
  payment_system: PaymentSystem
  account_number: string
  holder_name: string
  is_verified: boolean
  is_removed: boolean
  first_used_at: string
}

/** Returns the accounts to which a user asked to be paid, kept as destinations or typed into requests. */
export const destinationsUsed = query<DestinationRow, [user: string]>(
  'user_overview_destinations',
  `select payment_system, account_number, max(holder_name) as holder_name, bool_or(is_verified) as is_verified,
          coalesce(bool_and(is_removed), false) as is_removed, min(used_at) as first_used_at
     from (select payment_system, account_number, holder_name, verified_at is not null as is_verified,
                  state = 'removed' as is_removed, created_at as used_at
             from payout_destinations where user_id = $1
           union all
           select payment_system, account_number, '', false, null, created_at from withdrawals where worker_id = $1
           union all
           -- Corrected by an Admin since: the request has the new account.
           select payouts.payment_system, payouts.account_number, holder_name, false, null, withdrawals.created_at
             from withdrawals join payouts on payouts.withdrawal_id = withdrawals.id
            where worker_id = $1 and payouts.state = 'failed'
              and not account_keys(payouts.payment_system, payouts.account_number)
                        && account_keys(withdrawals.payment_system, withdrawals.account_number)) as used
    group by payment_system, account_number order by first_used_at desc limit ${LATEST}`,
)

export type SessionRow = {
  device: string
  network: string
  since: string
  seen_at: string
  is_open: boolean
}

export const sessionRowsOfUser = query<SessionRow, [user: string]>(
  'user_overview_sessions',
  `select device, network, min(created_at) as since, max(seen_at) as seen_at,
          bool_or(ended_at is null and expires_at > clock_time())
            and (select deleted_at is null from users where id = $1) as is_open
     from sessions where identity_id = $1 group by device, network order by max(seen_at) desc limit ${LATEST}`,
)

export type CardRow = { fingerprint: string; brand: string; last4: string; payments: number; cents: number }

export const cardsOfUser = query<CardRow, [user: string]>(
  'user_overview_cards',
  `select card_fingerprint as fingerprint, max(card_brand) as brand, max(card_last4) as last4, count(*) as payments,
          sum(amount_cents)::bigint as cents
     from payments where user_id = $1 and card_fingerprint <> ''
    group by card_fingerprint order by max(paid_at) desc limit ${LATEST}`,
)

export type WithdrawalRow = {
  id: string
  coins: number
  amount_cents: number
  payment_system: PaymentSystem
  account_number: string
  status: WithdrawalStatus
  score: number | null
  created_at: string
}

export const latestWithdrawals = query<WithdrawalRow, [user: string]>(
  'user_overview_withdrawals',
  `select withdrawals.id, coins, amount_cents, payment_system, account_number, status, score, created_at
     from withdrawals left join risk_assessments on risk_assessments.withdrawal_id = withdrawals.id
    where worker_id = $1 order by withdrawals.id desc limit ${LATEST}`,
)

export type OtherRow = { id: string; name: string; email: string; role: Role }
export type CounterpartyRow = OtherRow & { coins_from: number; coins_to: number; works: number }

/** Returns the users with whom a user's coins moved by work and bonuses, most coins first. */
export const counterparties = query<CounterpartyRow, [user: string]>(
  'user_overview_counterparties',
  `with moved as (
     (select buyer_id as other, reward as coins_from, 0::bigint as coins_to, 1 as works from submissions
       where worker_id = $1 and status = 'approved' order by id desc limit ${WORKS_MAX})
     union all
     (select worker_id, 0, reward, 1 from submissions
       where buyer_id = $1 and status = 'approved' order by id desc limit ${WORKS_MAX})
     union all
     (select buyer_id, coins, 0, 0 from bonuses where worker_id = $1 order by id desc limit ${WORKS_MAX})
     union all
     (select worker_id, 0, coins, 0 from bonuses where buyer_id = $1 order by id desc limit ${WORKS_MAX})
   ), largest as (
     select other, sum(coins_from)::bigint as coins_from, sum(coins_to)::bigint as coins_to, sum(works)::bigint as works
       from moved group by other order by sum(coins_from) + sum(coins_to) desc, other limit ${LATEST}
   )
   select users.id, name, email, role, coins_from, coins_to, works from largest join users on users.id = other
    order by coins_from + coins_to desc, users.id`,
)

export type LinkRow = OtherRow & { kind: LinkKind; value: string }

/**
 * Returns the users who share a destination, an account holder's name, a card or a small network with a user. A destination is
 * shared by those who asked for a payout to it and by those who keep it as theirs, as in a risk score (users_with_destination).
 */
export const linkedUsers = query<LinkRow, [user: string]>(
  'user_overview_links',
  `with own as (
     select unnest(account_keys(payment_system, account_number)) as key from withdrawals where worker_id = $1
     union
     select unnest(account_keys(payment_system, account_number)) from payout_destinations where user_id = $1
   ), links as (
     (select distinct worker_id as other, 'destination' as kind, account_number as value from withdrawals
       where account_keys(payment_system, account_number) && array(select key from own) and worker_id <> $1 limit ${LATEST * 2})
     union
     (select user_id, 'destination', account_number from payout_destinations
       where account_keys(payment_system, account_number) && array(select key from own) and user_id <> $1 limit ${LATEST * 2})
     union
     select others.user_id, 'holder', others.holder_name
       from payout_destinations as own join payout_destinations as others on lower(others.holder_name) = lower(own.holder_name)
      where own.user_id = $1 and own.holder_name <> '' and others.user_id <> $1
     union
     select others.user_id, 'card', others.card_brand || ' ' || others.card_last4
       from payments as own join payments as others on others.card_fingerprint = own.card_fingerprint
      where own.user_id = $1 and own.card_fingerprint <> '' and others.user_id <> $1
     union
     select others.identity_id, 'network', own.network
       from (select distinct network from sessions where identity_id = $1 and network not in ('', 'unknown')) as own
       cross join lateral (
         select identity_id from sessions where sessions.network = own.network group by identity_id
          limit ${NETWORK_USERS_MAX + 1}) as others
      where others.identity_id <> $1
        and (select count(*) from (select from sessions where sessions.network = own.network group by identity_id
                                    limit ${NETWORK_USERS_MAX + 1}) as users_of_network) <= ${NETWORK_USERS_MAX}
   )
   select users.id, name, email, role, kind, value from links join users on users.id = links.other
    order by kind, users.id limit ${LATEST * 2}`,
)

export type BlockRow = OtherRow & {
  block: string
  by: boolean
  reason: string
  created_at: string
  ended_at: string | null
}

/** Returns the latest blocks of a user as a worker, and of workers by a user as a buyer. */
export const latestBlocks = query<BlockRow, [user: string]>(
  'user_overview_blocks',
  `select users.id, name, email, role, blocks.id as block, by, reason, blocks.created_at, ended_at
     from ((select id, worker_id as other, true as by, reason, created_at, ended_at from worker_blocks
             where buyer_id = $1 order by id desc limit ${LATEST})
           union all
           (select id, buyer_id, false, reason, created_at, ended_at from worker_blocks
             where worker_id = $1 order by id desc limit ${LATEST})) as blocks
     join users on users.id = other
    order by blocks.id desc limit ${LATEST}`,
)

export type ActionRow = {
  act: string
  admin: string | null
  adminId: string | null
  at: string
  reason: string
}

/** Returns what Admins did to a user and to their withdrawal requests, newest first. */
export const actionsOnUser = query<ActionRow, [user: string]>(
  'user_overview_actions',
  `with entries as (
     select id, content::jsonb as content from admin_audit_log
      where content::jsonb ->> 'subject' in (
        select $1::uuid::text
        union all
        (select id::text from withdrawals where worker_id = $1 order by id desc limit ${LATEST}))
      order by id desc limit ${LATEST}
   )
   select content ->> 'act' as act, users.name as admin, users.id as "adminId", content ->> 'time' as at,
          coalesce(content -> 'details' ->> 'reason', '') as reason
     from entries left join users on users.id = (content ->> 'admin')::uuid order by entries.id desc`,
)

export type FoundRow = OtherRow & { kind: (typeof SEARCH_KINDS)[number]; value: string }

/** Returns the users with an account number, account holder, card fingerprint, network or device. */
export const usersByTrace = query<FoundRow, [typed: string, accounts: string[], spellings: string[]]>(
  'users_by_trace',
  `with found as (
     (select distinct worker_id as user_id, 'account number' as kind, account_number as value
        from withdrawals where account_keys(payment_system, account_number) && ${destinationKeysOf('$2')} limit ${LATEST})
     union
     (select user_id, 'account number', account_number from payout_destinations
       where account_keys(payment_system, account_number) && ${destinationKeysOf('$2')} limit ${LATEST})
     union
     (select (select worker_id from withdrawals where id = withdrawal_id), 'account number', account_number from payouts
       where state = 'failed' and account_keys(payment_system, account_number) && ${destinationKeysOf('$2')} limit ${LATEST})
     union
     (select user_id, 'holder', holder_name from payout_destinations where ${isHeldBy('$3')} limit ${LATEST})
     union
     (select distinct user_id, 'card', card_fingerprint from payments
       where card_fingerprint = $1 and card_fingerprint <> '' limit ${LATEST})
     union
     (select distinct identity_id, 'network', network from sessions where network = $1 and network <> '' limit ${LATEST})
     union
     (select distinct identity_id, 'device', device from sessions where device = $1 and device <> '' limit ${LATEST})
   )
   select users.id, name, email, role, kind, value from found join users on users.id = found.user_id
    order by kind, users.id limit ${LATEST * 2}`,
)
