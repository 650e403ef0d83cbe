import { useEffect } from 'react'
import { type Locale, localePath, splitLocale } from '#contract/locales.ts'
import { changeProfile, type User } from '#contract/users.ts'
import { call } from '#web/lib/api.ts'
import { CHOSEN_KEY, rememberLocale } from '#web/lib/language-switch.ts'
import { LOCALE } from '#web/lib/locale.ts'
import { useSession } from '#web/lib/session.tsx'
import { SIGNING_IN_KEY } from '#web/lib/session-store.ts'

/**
 * Saves the language that a signed-in user has chosen to their account, and opens the page in the language of the account
 * after a sign-in with a provider. The page in the chosen language saves it, because the one before is left at once; what
 * fails without a connection is repeated when the next page is opened in this tab.
 */
export function useAccountLanguage(): void {
  const { userData, refetchUser } = useSession()
  useEffect(() => {
    if (!userData) return
    if (sessionStorage.getItem(SIGNING_IN_KEY) !== null) {
      sessionStorage.removeItem(SIGNING_IN_KEY)
      const { pathname, search, hash } = location
      if (openInLanguageOf(userData, splitLocale(pathname).path + search + hash)) return
    }
    if (isChosenHere()) void saveLanguage(userData, refetchUser).catch(() => {})
  }, [userData, refetchUser])
}

/**
 * Opens a page after a sign-in if the account has another language than this page, and returns whether it does. A language
 * that was chosen in this tab before becomes the one of the account instead.
 */
export function openInLanguageOf({ locale }: User, path: string): boolean {
  if (locale === LOCALE || isChosenHere()) return false
  rememberLocale(locale)
  location.replace(localePath(locale, path))
  return true
}

const isChosenHere = () => (sessionStorage.getItem(CHOSEN_KEY) as Locale | null) === LOCALE

async function saveLanguage({ locale }: User, refetchUser: () => Promise<unknown>) {
  if (locale !== LOCALE) {
    await call(changeProfile, { body: { locale: LOCALE } })
    await refetchUser()
  }
  sessionStorage.removeItem(CHOSEN_KEY)
}
