import { dollarsText, formatNumber } from '#contract/amounts.en.ts'
import { wholeRate } from '#contract/product.ts'

export {
  coinsText as formatCoins,
  dollarsText as formatCents,
  formatDuration,
  formatNumber,
  PAYMENT_SYSTEM_NAMES,
  takaText as formatTaka,
} from '#contract/amounts.en.ts'

/** Returns a count with its noun: "1 worker", "12 workers". */
export function pluralize(value: number, singular: string, plural = `${singular}s`): string {
  return `${formatNumber(value)} ${value === 1 ? singular : plural}`
}

/** Formats a price in dollars: 20 → "$20.00". */
export function formatDollars(value: number): string {
  return dollarsText(Math.round(value * 100))
}

/** Formats the price of one coin: 0.0667 → "6.7¢ per coin". */
export function formatCoinPrice(dollars: number): string {
  return `${(dollars * 100).toFixed(1)}¢ per coin`
}

/** Formats the value of coins at a withdrawal rate: 4820 at 5 cents → "$241.00". */
export function formatCoinValue(coinCount: number, centsPerCoin: number): string {
  return dollarsText(coinCount * centsPerCoin)
}

/** Formats a withdrawal rate: 5 → "20 coins = 1 dollar", 3 → "100 coins = 3 dollars". */
export function formatRate(centsPerCoin: number): string {
  const { coins, dollars } = wholeRate(centsPerCoin)
  return `${pluralize(coins, 'coin')} = ${pluralize(dollars, 'dollar')}`
}
