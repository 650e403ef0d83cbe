import { cachedQuery } from '#server/database/cached-query.ts'
import { type Database, query, WHOLE_TABLE } from '#server/database/database.ts'

export type TopWorkerRow = { id: string; name: string; email: string; image: string; balance: number }

/** How long the list of the richest is; pages are cut from it. */
const LENGTH = 500

// Balances have no index: it would make every payment dearer than this list is worth.
const richest = query<TopWorkerRow & { people: number }, [limit: number]>(
  'top_workers',
  `select users.id, name, email, image, accounts.balance,
          (select greatest(reltuples, 0)::bigint from pg_class where oid = 'users'::regclass) as people
     from users join ledger_accounts as accounts on accounts.id = users.account_id
    where role = 'Worker' and deleted_at is null
    order by accounts.balance desc, users.id desc limit $1`,
  WHOLE_TABLE,
)

/** The workers with the most coins, richest first; in a large marketplace the answer is shared for some seconds. */
export function topWorkers(database: Database): () => Promise<TopWorkerRow[]> {
  return cachedQuery(async () => {
    const figure = await richest(database, LENGTH)
    return { value: figure, rows: figure[0]?.people ?? 0 }
  })
}

/** The rows after the one with this balance and id, as the list is ordered. */
export function pageOf(
  rows: TopWorkerRow[],
  balance: number | null,
  id: string | null,
  count: number,
): TopWorkerRow[] {
  const isAfter = (row: TopWorkerRow) =>
    balance === null || id === null || row.balance < balance || (row.balance === balance && row.id < id)
  return rows.filter(isAfter).slice(0, count)
}
