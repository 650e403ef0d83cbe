import { t } from '@lingui/core/macro'
import { useSuspenseQuery } from '@tanstack/react-query'
import { DEFAULT_LOCALE, LOCALES, localePath } from '#contract/locales.ts'
import { SITE_PAGES, sitePageSource } from '#contract/site-pages.ts'
import { PageEditor } from '#web/features/site-pages/page-editor.tsx'
import { SITE_PAGE_TITLES } from '#web/features/site-pages/page-titles.ts'
import { LOCALE } from '#web/lib/locale.ts'
import { queryOf } from '#web/lib/queries.ts'
import { useSearchParams } from '#web/lib/search-params.ts'
import { FilterLinks } from '#web/ui/filter-links.tsx'
import { Screen } from '#web/ui/screen.tsx'
import type { ScreenHandle } from './layout.tsx'

export const handle: ScreenHandle = { roles: ['Admin'] }

/** Renders the texts of the public pages for the operator to edit. */
export default function PublicPages() {
  const [search] = useSearchParams()
  const page = SITE_PAGES.find((name) => name === search.get('text')) ?? 'terms'
  const locale = LOCALES.find((name) => name === search.get('language')) ?? DEFAULT_LOCALE
  const { data } = useSuspenseQuery(queryOf(sitePageSource, { params: { page }, query: { locale } }))
  const languageOf = new Intl.DisplayNames(LOCALE, { type: 'language' })
  return (
    <Screen
      title={t`Public Pages`}
      subtitle={t`Terms, privacy and fees. Each change is kept with its reason.`}
      action={<a className="link" href={localePath(locale, `/${page}`)}>{t`View page`}</a>}
    >
      <div className="mb-5 space-y-3">
        <FilterLinks
          label={t`Page`}
          name="text"
          options={SITE_PAGES.map((name) => ({
            value: name === 'terms' ? '' : name,
            label: SITE_PAGE_TITLES[name],
          }))}
        />
        <FilterLinks
          label={t`Language`}
          name="language"
          options={LOCALES.map((name) => ({
            value: name === DEFAULT_LOCALE ? '' : name,
            label: languageOf.of(name) ?? name,
          }))}
        />
      </div>
      <PageEditor key={`${page} ${locale}`} source={data} title={SITE_PAGE_TITLES[page]} />
    </Screen>
  )
}
