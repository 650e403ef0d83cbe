import { includedTaxCentsOf, taxCentsOf } from './tax.ts'

type Prices = {
  cardFeePercent: number
  cardFeeCents: number
  centsPerCoin: number
  taxPercent: number
  taxAdded: boolean
}

/** What a coin package brings in and pays out, in cents. A negative `marginCents` is a loss. */
export type PackageMargin = { netCents: number; payoutCents: number; marginCents: number }

/**
 * Returns what is left of a payment for a package after card fees and tax when all of its coins are withdrawn. The fee is on the
 * whole payment, also on a tax that is added to the price.
 */
export function marginOf(
  { coins, priceCents }: { coins: number; priceCents: number },
  { cardFeePercent, cardFeeCents, centsPerCoin, taxPercent, taxAdded }: Prices,
): PackageMargin {
  const taxCents = (taxAdded ? taxCentsOf : includedTaxCentsOf)({ percent: taxPercent }, priceCents)
  const paidCents = taxAdded ? priceCents + taxCents : priceCents
  const feeCents = Math.round((paidCents * cardFeePercent) / 100) + cardFeeCents
  const netCents = paidCents - taxCents - feeCents
  const payoutCents = coins * centsPerCoin
  return { netCents, payoutCents, marginCents: netCents - payoutCents }
}
