type Prices = { cardFeePercent: number; cardFeeCents: number; centsPerCoin: number }

/** What a coin package brings in and pays out, in cents. A negative `marginCents` is a loss. */
export type PackageMargin = { feeCents: number; netCents: number; payoutCents: number; marginCents: number }

/** Returns what is left of a package's price after card fees when all of its coins are withdrawn. */
export function marginOf(
  { coins, priceCents }: { coins: number; priceCents: number },
  { cardFeePercent, cardFeeCents, centsPerCoin }: Prices,
): PackageMargin {
  const feeCents = Math.round((priceCents * cardFeePercent) / 100) + cardFeeCents
  const netCents = priceCents - feeCents
  const payoutCents = coins * centsPerCoin
  return { feeCents, netCents, payoutCents, marginCents: netCents - payoutCents }
}
