import { useQuery } from '@tanstack/react-query'
import type { Role } from '#contract/endpoint.ts'
import { coinRole, type User } from '#contract/users.ts'
import { queryOf } from '#web/lib/queries.ts'

/**
 * Returns the coins and the role that the dashboard's header shows: those of the user's record until the server has responded, and when it
 * cannot be reached. The session asks again whenever it reads the record.
 */
export function useCoinRole(user: User): { coin: number; role: Role } {
  const { data, isError } = useQuery({
    ...queryOf(coinRole, { params: { email: user.email } }),
    // Unlike a placeholder, it lets a newer request cancel the first one.
    initialData: user,
    initialDataUpdatedAt: 0,
  })
  return isError ? user : data
}
