import { latinDigits } from '#contract/digits.ts'
import { LOCALES } from '#contract/locales.ts'

/** The months by the first letters of their names and abbreviations, in every language of the product. */
const MONTHS = new Map(
  LOCALES.flatMap((locale) => [...monthsOf(locale, 'long'), ...monthsOf(locale, 'medium')]),
)

/** Returns the months by the first letters that they have in dates of a language. */
function monthsOf(locale: string, dateStyle: 'long' | 'medium'): [start: string, month: number][] {
  const format = new Intl.DateTimeFormat(locale, { dateStyle })
  return Array.from({ length: 12 }, (_, index) => {
    const parts = format.formatToParts(new Date(2000, index, 1))
    return [startOf(parts.find(({ type }) => type === 'month')?.value ?? ''), index + 1]
  })
}

/** Returns the first three letters of a name, which differ between months. */
function startOf(name: string): string {
  return [...name.normalize('NFC').toLowerCase()].slice(0, 3).join('')
}

/**
 * Returns the calendar day that a user has typed, as "2026-12-18", or null. The month is a name or a number, after the day or
 * as in "2026-12-18", and digits are of either script.
 */
export function parseDay(typed: string): string | null {
  const text = latinDigits(typed)
  const numbers = (text.match(/\d+/g) ?? []).map(Number)
  const names = text.match(/[\p{L}\p{M}]+/gu) ?? []
  const month = names.map((name) => MONTHS.get(startOf(name))).find((found) => found !== undefined)
  if (month !== undefined) numbers.splice(1, 0, month)
  if (numbers.length !== 3) return null
  const [first, second, third] = numbers as [number, number, number]
  return first > 31 ? dayOf(first, second, third) : dayOf(third, second, first)
}

/** Returns a day as "2026-12-18"; null for one that no calendar has, and while the year is being typed. */
function dayOf(year: number, month: number, day: number): string | null {
  const date = new Date(Date.UTC(year, month - 1, day))
  const isReal = year >= 1000 && date.getUTCMonth() === month - 1 && date.getUTCDate() === day
  return isReal ? date.toISOString().slice(0, 10) : null
}
