import * as z from 'zod/mini'

/** The languages of the product, the default first. A language has its texts in files `*.<locale>.ts` (docs/translating.md). */
export const LOCALES = ['en', 'bn'] as const
export const Locale = z.enum(LOCALES)
export type Locale = z.infer<typeof Locale>
export const DEFAULT_LOCALE = LOCALES[0]

/** The names of the languages, each in its own. */
export const LOCALE_NAMES: Record<Locale, string> = { en: 'English', bn: 'বাংলা' }

/** Languages that are being translated. */
const UNFINISHED_LOCALES: readonly Locale[] = []
/** The languages whose pages are offered to users and search engines. */
export const OFFERED_LOCALES = LOCALES.filter((locale) => !UNFINISHED_LOCALES.includes(locale))

/** Returns the path of a page of the web app in a language: `/login` in Bangla is `/bn/login`. */
export function localePath(locale: Locale, path: string): string {
  if (locale === DEFAULT_LOCALE) return path
  return path === '/' ? `/${locale}` : `/${locale}${path}`
}

/**
 * Returns the language of a page's path, and the path without it. That has one slash at its start: with two, it would be the
 * URL of another site.
 */
export function splitLocale(path: string): { locale: Locale; path: string } {
  const locale = LOCALES.find((known) => known !== DEFAULT_LOCALE && isBelow(path, `/${known}`))
  if (locale === undefined) return { locale: DEFAULT_LOCALE, path }
  const rest = path.slice(locale.length + 1)
  return { locale, path: rest.replace(/^[/\\]*/, '/') }
}

function isBelow(path: string, folder: string): boolean {
  return path.startsWith(folder) && /^([/?#]|$)/.test(path.slice(folder.length))
}

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
