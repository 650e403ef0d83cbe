import type { Role } from '#contract/endpoint.ts'
import { PIPELINED, query, WHOLE_TABLE } from '#server/database/database.ts'
import { type ProfileRow, RECORDS } from './list.ts'

export type UserRow = {
  id: string
  name: string
  email: string
  image: string
  role: Role
  wallet: number
  is_reviewer: boolean
  locale: string
  balance: number
  debt: number
  locked_coins: number
  created_at: string
}

const COLUMNS = `users.id, users.name, users.email, users.image, users.role, users.wallet, users.is_reviewer, users.locale, accounts.balance,
  case when users.role = 'Buyer' then locked_starting_coins(users.account_id) else 0 end as locked_coins, accounts.debt, users.created_at`
const FROM = 'from users join ledger_accounts as accounts on accounts.id = users.account_id'

export const userById = query<UserRow, [id: string]>(
  'user_by_id',
  `select ${COLUMNS} ${FROM} where users.id = $1 and users.deleted_at is null`,
  PIPELINED,
)

export const userByEmailKey = query<UserRow, [emailKey: string]>(
  'user_by_email_key',
  `select ${COLUMNS} ${FROM} where users.email_key = $1 and users.deleted_at is null`,
  PIPELINED,
)

/** Returns the public fields and records of a user. */
export const profileById = query<ProfileRow, [id: string]>(
  'user_profile',
  `select id, name, email, image, role, ${RECORDS}
     from users where id = $1 and deleted_at is null`,
  PIPELINED,
)

export type ReviewerRow = Pick<UserRow, 'id' | 'name' | 'email' | 'role' | 'is_reviewer'>

/** Returns the users who may review appeals. */
export const readReviewers = query<ReviewerRow, []>(
  'reviewers_all',
  `select id, name, email, role, is_reviewer from users
    where deleted_at is null and (role = 'Admin' or is_reviewer) order by lower(name), id`,
  WHOLE_TABLE,
)
