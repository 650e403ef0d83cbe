import type * as z from 'zod/mini'
import type { CoinRole, User } from '#contract/users.ts'
import type { UserRow } from './queries.ts'

export function presentUser(row: UserRow): User {
  const { id, name, email, image, role, balance, wallet, created_at } = row
  return {
    _id: id,
    name,
    user: name,
    email,
    image,
    img: image,
    role,
    coin: balance,
    wallet,
    createdAt: created_at,
  }
}

export function presentCoinRole(row: UserRow): z.infer<typeof CoinRole> {
  const { id, name, email, role, balance, wallet } = row
  return { _id: id, name, email, role, coin: balance, wallet }
}
