import { DEFAULT_LOCALE, type Locale, localePath } from '#contract/locales.ts'

/** Set by vite.config.ts. Tests of components run without it. */
declare const __LOCALE__: Locale | undefined

/** The language of this build of the app. */
export const LOCALE: Locale = typeof __LOCALE__ === 'undefined' ? DEFAULT_LOCALE : __LOCALE__

/** Returns the path of a page in the language of this build, for URLs that the router does not make. */
export const pagePath = (path: string): string => localePath(LOCALE, path)

/**
 * Returns the path of the page at the router's path in a language, with one slash at its start: with two, it would be the URL of
 * another site. Prerendered pages end with a slash.
 */
export const pathIn = (locale: Locale, pathname: string): string =>
  localePath(locale, pathname.replace(/^\/+/, '/').replace(/(.)\/$/, '$1'))
