import { useLocation } from 'react-router'
import { pagePath } from '#web/lib/locale.ts'
import { pageOrigin } from '#web/lib/meta.ts'

/** Renders the URL under which search engines and previews list this page. */
export function CanonicalUrl() {
  const url = pageOrigin + pagePath(useLocation().pathname.replace(/(.)\/$/, '$1'))
  return (
    <>
      <link rel="canonical" href={url} />
      <meta property="og:url" content={url} />
    </>
  )
}
