import * as z from 'zod/mini'

/** A tax that is added to the prices: the buyer pays the price and this. */
export const AddedTax = z.object({ name: z.string(), percent: z.number() })
export type AddedTax = z.infer<typeof AddedTax>

/** Rates have at most three decimal places. */
const PARTS_PER_PERCENT = 1000

const WHOLE = 100 * PARTS_PER_PERCENT

type Rate = Pick<AddedTax, 'percent'>

/** Returns the cents of a tax on a price, rounded half up. Exact, as both are whole numbers. */
export function taxCentsOf({ percent }: Rate, priceCents: number): number {
  const parts = Math.round(percent * PARTS_PER_PERCENT)
  return Math.floor((priceCents * parts + WHOLE / 2) / WHOLE)
}

/** Returns the cents of a tax that a price includes, as `included_tax` of server/receipts/issue.sql rounds them. */
export function includedTaxCentsOf({ percent }: Rate, priceCents: number): number {
  const parts = Math.round(percent * PARTS_PER_PERCENT)
  return Math.round((priceCents * parts) / (WHOLE + parts))
}
