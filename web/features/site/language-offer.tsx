import { useEffect, useState } from 'react'
import { useLocation } from 'react-router'
import { type Locale, OFFERED_LOCALES } from '#contract/locales.ts'
import { preferredLocale } from '#web/lib/browser-locale.ts'
import { switchLanguage } from '#web/lib/form-transfer.ts'
import { rememberLocale } from '#web/lib/language-switch.ts'
import { LOCALE, pathIn } from '#web/lib/locale.ts'
import { PlainButton } from '#web/ui/button.tsx'

/** The offer of each language, in that language. English is the language that others are offered on. */
const OFFERS: Record<Locale, { read: string; close: string } | null> = {
  en: null,
  bn: { read: 'এই পাতা বাংলায় পড়ুন', close: 'না, ধন্যবাদ' },
}

/**
 * Offers a page in the language that the visitor prefers, until they follow or close the offer, which both count as their
 * choice. Prerendered pages have it hidden: their inline script shows it before the app has started
 * (web/prerendered/start-scripts.ts).
 */
export function LanguageOffer() {
  const { pathname } = useLocation()
  const [preferred, setPreferred] = useState<Locale>()
  useEffect(() => setPreferred(preferredLocale()), [])
  return OFFERED_LOCALES.map((locale) => {
    const offer = locale === LOCALE ? null : OFFERS[locale]
    if (offer === null) return null
    const close = () => {
      rememberLocale(LOCALE)
      setPreferred(LOCALE)
    }
    return (
      <aside
        key={locale}
        lang={locale}
        data-offer={locale}
        hidden={locale !== preferred}
        className="sticky bottom-0 z-30 border-t border-line bg-surface"
      >
        <p className="page flex flex-wrap items-center justify-center gap-3 py-1">
          <a href={pathIn(locale, pathname)} hrefLang={locale} className="link" onClick={switchLanguage}>
            {offer.read}
          </a>
          <PlainButton variant="subtle" onClick={close}>
            {offer.close}
          </PlainButton>
        </p>
      </aside>
    )
  })
}
