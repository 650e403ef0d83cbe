import { cachedQuery } from '#server/database/cached-query.ts'
import { type Database, query, WHOLE_TABLE } from '#server/database/database.ts'

export type TopWorkerRow = { id: string; name: string; email: string; image: string; balance: number }

/** The length of the cached list; pages are slices of it. */
const TOP_LIMIT = 500

// Balances have no index, because it would slow down every transfer.
const readTopWorkers = query<TopWorkerRow & { user_estimate: number }, [limit: number]>(
  'top_workers',
  `select users.id, name, email, image, accounts.balance,
          (select greatest(reltuples, 0)::bigint from pg_class where oid = 'users'::regclass) as user_estimate
     from users join ledger_accounts as accounts on accounts.id = users.account_id
    where role = 'Worker' and deleted_at is null
    order by accounts.balance desc, users.id desc limit $1`,
  WHOLE_TABLE,
)

/**
 * Returns a function that lists the workers with the most coins, richest first. With many users, its result is cached
 * for some seconds.
 */
export function topWorkers(): (database: Database) => Promise<TopWorkerRow[]> {
  return cachedQuery(async (database) => {
    const workers = await readTopWorkers(database, TOP_LIMIT)
    return { value: workers, rows: workers[0]?.user_estimate ?? 0 }
  })
}

/** Returns `count` rows after the row with this balance and id, in the order of the list. */
export function topWorkersAfter(
  rows: TopWorkerRow[],
  balance: number | null,
  id: string | null,
  count: number,
): TopWorkerRow[] {
  const isAfter = (row: TopWorkerRow) =>
    balance === null || id === null || row.balance < balance || (row.balance === balance && row.id < id)
  return rows.filter(isAfter).slice(0, count)
}
