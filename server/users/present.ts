import type * as z from 'zod/mini'
import { knownLocale } from '#contract/locales.ts'
import type { Reviewer } from '#contract/manage-users.ts'
import type { CoinRole, PublicProfile, PublicUser, TopWorker, User } from '#contract/users.ts'
import type { ProfileRow, PublicRow } from './list.ts'
import { maskEmail } from './mask-email.ts'
import type { ReviewerRow, UserRow } from './queries.ts'
import type { TopWorkerRow } from './top-workers.ts'

export function presentUser(row: UserRow): User {
  const {
    id,
    name,
    email,
    image,
    role,
    balance,
    debt,
    locked_coins,
    wallet,
    is_reviewer,
    locale,
    created_at,
  } = row
  return {
    _id: id,
    name,
    user: name,
    email,
    image,
    img: image,
    role,
    coin: balance,
    debt,
    ...(locked_coins > 0 && { spendable: Math.max(0, balance - locked_coins) }),
    wallet,
    reviewer: role === 'Admin' || is_reviewer,
    locale: knownLocale(locale),
    createdAt: created_at,
  }
}

export function presentCoinRole(row: UserRow): z.infer<typeof CoinRole> {
  const { id, name, email, role, balance, wallet } = row
  return { _id: id, name, email, role, coin: balance, wallet }
}

export function presentPublicUser(row: PublicRow, showEmail: boolean): PublicUser {
  const { id, name, email, image, role } = row
  return { _id: id, name, email: showEmail ? email : maskEmail(email), image, role }
}

export function presentProfile(row: ProfileRow, showEmail: boolean): PublicProfile {
  return {
    ...presentPublicUser(row, showEmail),
    buyerRecord: row.buyer_record,
    workerRecord: row.worker_record,
  }
}

export function presentTopWorker(row: TopWorkerRow, showEmail: boolean): TopWorker {
  const { id, name, email, image, balance } = row
  return { _id: id, name, email: showEmail ? email : maskEmail(email), image, coin: balance }
}

export function presentReviewer({ id, name, email, role, is_reviewer }: ReviewerRow): Reviewer {
  return { _id: id, name, email, role, reviewer: is_reviewer }
}
