import { plural, t } from '@lingui/core/macro'
import { dollarsText } from '#contract/amounts.en.ts'
import { DEFAULT_LOCALE } from '#contract/locales.ts'
import { wholeRate } from '#contract/product.ts'
import { LOCALE } from '#web/lib/locale.ts'

export {
  coinsText as formatCoins,
  dollarsText as formatCents,
  formatMilliseconds,
  formatNumber,
  PAYMENT_SYSTEM_NAMES,
  takaText as formatTaka,
} from '#contract/amounts.en.ts'

/** Formats a price in dollars: 20 → "$20.00". */
export function formatDollars(value: number): string {
  return dollarsText(Math.round(value * 100))
}

const oneDecimal = new Intl.NumberFormat(LOCALE === DEFAULT_LOCALE ? 'en-US' : LOCALE, {
  minimumFractionDigits: 1,
  maximumFractionDigits: 1,
})

/** Formats the price of one coin: 0.0667 → "6.7¢ per coin". */
export function formatCoinPrice(dollars: number): string {
  const cents = oneDecimal.format(dollars * 100)
  return t`${cents}¢ per coin`
}

/** Formats the value of coins at a withdrawal rate: 4820 at 5 cents → "$241.00". */
export function formatCoinValue(coinCount: number, centsPerCoin: number): string {
  return dollarsText(coinCount * centsPerCoin)
}

/** Formats a withdrawal rate: 5 → "20 coins = 1 dollar", 3 → "100 coins = 3 dollars". */
export function formatRate(centsPerCoin: number): string {
  const { coins, dollars } = wholeRate(centsPerCoin)
  return t`${plural(coins, { one: '# coin', other: '# coins' })} = ${plural(dollars, { one: '# dollar', other: '# dollars' })}`
}
