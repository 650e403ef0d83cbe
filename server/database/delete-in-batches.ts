/** Runs `deleteBatch` until a batch is not full. Returns the number of rows. Short transactions hold few locks. */
export async function deleteInBatches(
  batch: number,
  deleteBatch: (batch: number) => Promise<number>,
): Promise<number> {
  let total = 0
  for (let rows = batch; rows === batch; total += rows) rows = await deleteBatch(batch)
  return total
}
