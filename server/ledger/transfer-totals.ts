import { type Db, queryOne } from '#server/database/database.ts'

const settle = queryOne<{ taken: number }, []>('ledger_sums_settle', 'select settle_ledger_sums() as taken', {
  patienceMs: 600_000,
})

/** Moves the sums of all transfers forward to what has settled since; answers by how many transfers. */
export async function settleLedgerSums(db: Db): Promise<number> {
  const { taken } = await settle(db)
  return taken
}
