import { type Db, queryOne } from '#server/database/database.ts'

const settle = queryOne<{ taken: number }, []>(
  'ledger_sums_settle',
  'select update_transfer_totals() as taken',
  {
    timeoutMs: 600_000,
  },
)

/** Moves the sums of all transfers forward to what has settled since; answers by how many transfers. */
export async function updateTransferTotals(db: Db): Promise<number> {
  const { taken } = await settle(db)
  return taken
}
