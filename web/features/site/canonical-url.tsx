import { useLocation } from 'react-router'
import { DEFAULT_LOCALE, OFFERED_LOCALES } from '#contract/locales.ts'
import { LOCALE, pathIn } from '#web/lib/locale.ts'
import { pageOrigin } from '#web/lib/meta.ts'

/** Renders the URL under which search engines and previews list this page, and those of the page in all languages. */
export function CanonicalUrl() {
  const { pathname } = useLocation()
  const url = pageOrigin + pathIn(LOCALE, pathname)
  return (
    <>
      <link rel="canonical" href={url} />
      {OFFERED_LOCALES.map((locale) => (
        <link key={locale} rel="alternate" hrefLang={locale} href={pageOrigin + pathIn(locale, pathname)} />
      ))}
      <link rel="alternate" hrefLang="x-default" href={pageOrigin + pathIn(DEFAULT_LOCALE, pathname)} />
      <meta property="og:url" content={url} />
    </>
  )
}
