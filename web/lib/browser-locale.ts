import { localeInCookies } from '#contract/locale-cookie.ts'
import { DEFAULT_LOCALE, LOCALES, type Locale } from '#contract/locales.ts'
import { LOCALE } from '#web/lib/locale.ts'

/** Returns the language that was chosen in this browser, or else the first of ours that the browser prefers. */
export function preferredLocale(): Locale | undefined {
  const chosen = localeInCookies(document.cookie)
  const preferred = [chosen, ...navigator.languages.map((tag) => tag.split('-', 1)[0])]
  return preferred.flatMap((language) => LOCALES.find((locale) => locale === language) ?? [])[0]
}

/** Returns the language of a new account: that of the page, where it is another one than the default. */
export const signUpLocale = (): Locale | undefined => (LOCALE === DEFAULT_LOCALE ? preferredLocale() : LOCALE)
