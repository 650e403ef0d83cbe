import { Outlet } from 'react-router'
import { CanonicalUrl } from '#web/features/site/canonical-url.tsx'
import { LanguageOffer } from '#web/features/site/language-offer.tsx'
import { PublicFooter } from '#web/features/site/public-footer.tsx'
import { PublicHeader } from '#web/features/site/public-header.tsx'
import { MainContent } from '#web/ui/main-content.tsx'
import { SkipLink } from '#web/ui/skip-link.tsx'

/** Renders the header and footer around every public page. */
export default function PublicLayout() {
  return (
    <div className="flex min-h-dvh flex-col">
      <CanonicalUrl />
      <SkipLink />
      <PublicHeader />
      <MainContent className="flex-1">
        <Outlet />
      </MainContent>
      <PublicFooter />
      <LanguageOffer />
    </div>
  )
}
