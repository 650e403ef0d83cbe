export type Cost = { work: number; fee: number; total: number }

/** What a task costs: workers × pay, and the marketplace's fee where there is one. Null until both are whole numbers. */
export function calculateCost(workers: unknown, pay: unknown, feePercent: number): Cost | null {
  if (!Number.isSafeInteger(workers) || !Number.isSafeInteger(pay)) return null
  const work = Number(workers) * Number(pay)
  if (Number(workers) < 1 || Number(pay) < 1 || !Number.isSafeInteger(work)) return null
  const fee = Math.floor((work * feePercent) / 100)
  return { work, fee, total: work + fee }
}
