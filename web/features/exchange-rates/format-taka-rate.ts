import { formatDecimal } from '#web/lib/format-decimal.ts'

/** Formats a rate, the taka for one dollar: "121.5" → "৳121.5". */
export const formatTakaRate = (rate: string): string => `৳${formatDecimal(Number(rate))}`
