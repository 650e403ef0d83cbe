import { LOCALE_COOKIE } from '#contract/locale-cookie.ts'
import { typedFields } from './typed-fields.ts'

/*
 * What happens when a link to a page in another language is followed. Both the app and the inline script of the prerendered
 * pages use it, because such a link works before the app has started.
 */

/**
 * The values of the forms of a page, by the key of the form (web/lib/form-transfer.ts), and the language they go to. The
 * content of pictures is in base64.
 */
export type TransferredForms = {
  to: string
  forms: Record<string, Record<string, unknown>>
  pictures?: Record<string, Record<string, { name: string; type: string; content: string }>>
}

/** The keys of the tab's session storage. Tabs that are open have values under these names. */
export const TRANSFER_KEY = 'carried-values'
/** The language chosen in this tab, until it is saved to the account. */
export const CHOSEN_KEY = 'chosen-locale'
const YEAR_SECONDS = 31_536_000

/** Remembers the language in this browser. */
export function rememberLocale(locale: string): void {
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is not in every browser that we support
  document.cookie = `${LOCALE_COOKIE}=${locale}; path=/; max-age=${YEAR_SECONDS}; samesite=lax`
}

/**
 * Prepares a link to the page in another language to be followed: it gets the query and the fragment of the page, the
 * language is remembered, and what was typed is carried over. `forms` are those of the app; those that it does not know yet
 * are read from the page.
 */
export function prepareLanguageSwitch(link: HTMLAnchorElement, forms: TransferredForms['forms'] = {}): void {
  link.search = location.search
  link.hash = location.hash
  rememberLocale(link.hreflang)
  const posted = [...document.forms].filter((form) => form.getAttribute('action')?.startsWith('/forms/'))
  const typed = Object.fromEntries(posted.map((form) => [form.getAttribute('action'), typedFields(form)]))
  const transferred: TransferredForms = { to: link.hreflang, forms: { ...typed, ...forms } }
  try {
    sessionStorage.setItem(CHOSEN_KEY, link.hreflang)
    sessionStorage.setItem(TRANSFER_KEY, JSON.stringify(transferred))
  } catch {
    // A browser that stores nothing carries nothing.
  }
}
