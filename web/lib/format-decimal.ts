import { DEFAULT_LOCALE } from '#contract/locales.ts'
import { LOCALE } from '#web/lib/locale.ts'

const decimals = new Intl.NumberFormat(LOCALE === DEFAULT_LOCALE ? 'en-IN' : LOCALE, {
  maximumFractionDigits: 6,
})

/** Formats a number that may have decimals: 1234.5 → "1,234.5". */
export const formatDecimal = (value: number): string => decimals.format(value)
