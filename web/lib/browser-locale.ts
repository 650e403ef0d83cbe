import { LOCALES, type Locale } from '#contract/locales.ts'

/** Returns the first of our languages that the browser prefers. */
export function browserLocale(): Locale | undefined {
  const preferred = navigator.languages.map((tag) => tag.split('-', 1)[0])
  return preferred.flatMap((language) => LOCALES.find((locale) => locale === language) ?? [])[0]
}
