/** The cookie with the language that a visitor has chosen. The web app sets it, and the home page redirects by it. */
export const LOCALE_COOKIE = 'locale'

/** Returns the value of the cookie in a list of cookies, which may be any text; null where there is none. */
export function localeInCookies(cookies: string): string | null {
  const [, locale = null] = new RegExp(`(?:^|; *)${LOCALE_COOKIE}=(\\w+)`).exec(cookies) ?? []
  return locale
}
