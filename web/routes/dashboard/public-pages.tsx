import { t } from '@lingui/core/macro'
import { useSuspenseQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { SITE_PAGES, type SitePageName, sitePageSource } from '#contract/site-pages.ts'
import { PageEditor } from '#web/features/site-pages/page-editor.tsx'
import { queryOf } from '#web/lib/queries.ts'
import { useSearchParams } from '#web/lib/search-params.ts'
import { FilterLinks } from '#web/ui/filter-links.tsx'
import { Screen } from '#web/ui/screen.tsx'
import type { ScreenHandle } from './layout.tsx'

export const handle: ScreenHandle = { roles: ['Admin'] }

const TITLES: Record<SitePageName, string> = { terms: t`Terms`, privacy: t`Privacy`, fees: t`Fees` }

/** Renders the texts of the public pages for the operator to edit. */
export default function PublicPages() {
  const [search] = useSearchParams()
  const page = SITE_PAGES.find((name) => name === search.get('page')) ?? 'terms'
  const { data } = useSuspenseQuery(queryOf(sitePageSource, { params: { page } }))
  return (
    <Screen
      title={t`Public Pages`}
      subtitle={t`Terms, privacy and fees. Each change is kept with its reason.`}
      action={<Link className="link" to={`/${page}`}>{t`View page`}</Link>}
    >
      <div className="mb-5">
        <FilterLinks
          label={t`Page`}
          name="page"
          options={SITE_PAGES.map((name) => ({ value: name === 'terms' ? '' : name, label: TITLES[name] }))}
        />
      </div>
      <PageEditor key={`${page} ${data.version}`} source={data} title={TITLES[page]} />
    </Screen>
  )
}
