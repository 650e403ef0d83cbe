import { type Db, queryOne } from '#server/database/database.ts'

const updateTotals = queryOne<{ transfers: number }, []>(
  'transfer_totals_update',
  'select update_transfer_totals() as transfers',
  { timeoutMs: 600_000 },
)

/** Adds the transfers committed since the last run to the stored totals and returns their number. */
export async function updateTransferTotals(db: Db): Promise<number> {
  const { transfers } = await updateTotals(db)
  return transfers
}
