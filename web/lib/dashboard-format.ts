import { DEFAULT_LOCALE } from '#contract/locales.ts'
import { LOCALE } from '#web/lib/locale.ts'

/* Formats that only the dashboard needs, so that public pages load without them. */

const isEnglish = LOCALE === DEFAULT_LOCALE

const BYTE_UNITS = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte']

/**
 * Formats a size: 1572864 → "1.5 MB". A kB has 1024 bytes, as in the limits of files and in PostgreSQL. With `exceptZero` it
 * has a sign: "+1.5 MB".
 */
export function formatBytes(bytes: number, signDisplay: 'auto' | 'exceptZero' = 'auto'): string {
  const power = Math.min(Math.floor(Math.log10(Math.max(1, Math.abs(bytes))) / 3), BYTE_UNITS.length - 1)
  return new Intl.NumberFormat(LOCALE, {
    style: 'unit',
    unit: BYTE_UNITS[power] as string,
    unitDisplay: power === 0 ? 'long' : 'short',
    maximumSignificantDigits: 3,
    signDisplay,
  }).format(bytes / 1024 ** power)
}

const compactNumbers = new Intl.NumberFormat(isEnglish ? 'en-IN' : LOCALE, { notation: 'compact' })
const compactDollars = new Intl.NumberFormat(isEnglish ? 'en-US' : LOCALE, {
  style: 'currency',
  currency: 'USD',
  currencyDisplay: 'narrowSymbol',
  notation: 'compact',
})
const percents = new Intl.NumberFormat(LOCALE, { maximumFractionDigits: 20 })

/** Formats a number of an axis: 1500 → "1.5K", 500000 → "5L". */
export function formatCompactNumber(value: number): string {
  return compactNumbers.format(value)
}

/** Formats a price of an axis: 15 → "$15", 12500 → "$13K". */
export function formatCompactDollars(value: number): string {
  return compactDollars.format(value)
}

/** Returns a share in whole percent: 100 only for all, and 0 only for none. */
export function percentOf(part: number, whole: number): number {
  if (part === 0 || part === whole) return (100 * part) / whole
  return Math.min(99, Math.max(1, Math.round((100 * part) / whole)))
}

/** Formats a share: 7.5 → "7.5%". */
export function formatPercent(percent: number): string {
  return `${percents.format(percent)}%`
}
