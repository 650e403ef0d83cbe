import type { ReactNode } from 'react'
import { useLocation } from 'react-router'
import { LOCALE_NAMES, OFFERED_LOCALES } from '#contract/locales.ts'
import { switchLanguage } from '#web/lib/form-transfer.ts'
import { LOCALE, pathIn } from '#web/lib/locale.ts'

/** The languages of the product besides that of this page. */
const OTHER_LOCALES = OFFERED_LOCALES.filter((locale) => locale !== LOCALE)

/** Renders a link to this page in each other language, in the language's own name. What is typed and chosen is carried over. */
export function LanguageLinks({ className, icon }: { className: string; icon?: ReactNode }) {
  const { pathname } = useLocation()
  return OTHER_LOCALES.map((locale) => (
    <a
      key={locale}
      href={pathIn(locale, pathname)}
      lang={locale}
      hrefLang={locale}
      className={className}
      data-variant="subtle"
      onClick={switchLanguage}
    >
      {icon}
      {LOCALE_NAMES[locale]}
    </a>
  ))
}
