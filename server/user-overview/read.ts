import { cardBrandName } from '#contract/card-brands.ts'
import type { UserOverview } from '#contract/user-overview.ts'
import type { Db } from '#server/database/database.ts'
import { Refusal } from '#server/http/refusal.ts'
import {
  actionsOnUser,
  cardsOfUser,
  counterparties,
  destinationsUsed,
  latestBlocks,
  latestWithdrawals,
  linkedUsers,
  sessionRowsOfUser,
  type UserRow,
  userWithTotals,
} from './queries.ts'
import { latestAppeals, latestDecisions } from './work-queries.ts'

/** Returns everything about a user, also about a deleted one. @throws Refusal `user_not_found`. */
export async function readOverview(db: Db, userId: string): Promise<UserOverview> {
  const [
    users,
    destinations,
    sessions,
    cards,
    withdrawals,
    others,
    links,
    blocks,
    decisions,
    appeals,
    actions,
  ] = await Promise.all([
    userWithTotals(db, userId),
    destinationsUsed(db, userId),
    sessionRowsOfUser(db, userId),
    cardsOfUser(db, userId),
    latestWithdrawals(db, userId),
    counterparties(db, userId),
    linkedUsers(db, userId),
    latestBlocks(db, userId),
    latestDecisions(db, userId),
    latestAppeals(db, userId),
    actionsOnUser(db, userId),
  ])
  const [user] = users
  if (user === undefined) throw new Refusal('user_not_found')
  return {
    ...presentUser(user),
    destinations: destinations.map((row) => ({
      system: row.payment_system,
      accountNumber: row.account_number,
      holderName: row.holder_name,
      isVerified: row.is_verified,
      isRemoved: row.is_removed,
      firstUsedAt: row.first_used_at,
    })),
    sessions: sessions.map(({ seen_at, is_open, ...row }) => ({ ...row, seenAt: seen_at, isOpen: is_open })),
    cards,
    withdrawals: withdrawals.map((row) => ({
      _id: row.id,
      coins: row.coins,
      cents: row.amount_cents,
      system: row.payment_system,
      accountNumber: row.account_number,
      status: row.status,
      score: row.score,
      createdAt: row.created_at,
    })),
    counterparties: others.map(({ id, coins_from, coins_to, ...row }) => ({
      _id: id,
      ...row,
      coinsFrom: coins_from,
      coinsTo: coins_to,
    })),
    links: links.map(({ id, value, ...row }) => ({
      _id: id,
      ...row,
      value: row.kind === 'card' ? value.replace(/^\w+/, cardBrandName) : value,
    })),
    blocks: blocks.map(({ id, block, created_at, ended_at, ...row }) => ({
      ...row,
      _id: id,
      blockId: block,
      createdAt: created_at,
      endedAt: ended_at,
    })),
    decisions: decisions.map(presentOfWork),
    appeals: appeals.map(presentOfWork),
    actions: actions.map(({ admin, ...row }) => ({ ...row, admin: admin ?? '' })),
  }
}

function presentOfWork<Row extends { id: string; submission_id: string; task_id: string }>({
  id,
  submission_id,
  task_id,
  ...row
}: Row) {
  return { ...row, _id: id, submissionId: submission_id, taskId: task_id }
}

function presentUser(row: UserRow): Pick<UserOverview, 'user' | 'totals'> {
  return {
    user: {
      _id: row.id,
      name: row.name,
      email: row.email,
      image: row.image,
      role: row.role,
      isReviewer: row.is_reviewer,
      joinedAt: row.joined_at,
      lastSeenAt: row.last_seen_at,
      deletedAt: row.deleted_at,
      isFrozen: row.is_frozen,
    },
    totals: {
      coins: row.coins,
      debt: row.debt,
      coinsOnHold: row.coins_on_hold,
      coinsInEscrow: row.coins_in_escrow,
      paidInCents: row.paid_in_cents,
      returnedCents: row.returned_cents,
      paidOutCents: row.paid_out_cents,
      requestedCents: row.requested_cents,
      tasks: row.tasks,
      approved: row.approved,
      rejected: row.rejected,
      pending: row.pending,
      appeals: row.appeals,
      appealsAgainst: row.appeals_against,
    },
  }
}
