import * as z from 'zod/mini'

/** The languages of the product, the default first. A language has its texts in files `*.<locale>.ts` (docs/translating.md). */
export const LOCALES = ['en', 'bn'] as const
export const Locale = z.enum(LOCALES)
export type Locale = z.infer<typeof Locale>
export const DEFAULT_LOCALE = LOCALES[0]

/** Returns a stored language, or the default for one that a later version has stored. */
export const knownLocale = (stored: string): Locale =>
  LOCALES.find((locale) => locale === stored) ?? DEFAULT_LOCALE

/** Returns the language that an Accept-Language header prefers among ours, or the default. */
export function preferredLocale(acceptLanguage: string | undefined): Locale {
  const accepted = (acceptLanguage ?? '')
    .split(',', 20)
    .map(parseRange)
    .filter(({ quality }) => quality > 0)
    .toSorted((a, b) => b.quality - a.quality)
  const [first] = accepted.flatMap(({ language }) => LOCALES.find((locale) => locale === language) ?? [])
  return first ?? DEFAULT_LOCALE
}

function parseRange(range: string): { language: string; quality: number } {
  const [tag = '', ...parameters] = range.split(';')
  const quality = parameters.map((parameter) => /^\s*q=([\d.]{1,5})\s*$/i.exec(parameter)?.[1]).find(Boolean)
  return { language: tag.trim().toLowerCase().split('-', 1)[0] ?? '', quality: Number(quality ?? 1) }
}
