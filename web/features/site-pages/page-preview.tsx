import { t } from '@lingui/core/macro'
import './page-text.css'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { Locale } from '#contract/locales.ts'
import { previewSitePage, type SitePageName } from '#contract/site-pages.ts'
import { call, errorMessage } from '#web/lib/api.ts'

/** Renders a text as the public page would show it. */
export function PagePreview({ page, locale, text }: { page: SitePageName; locale: Locale; text: string }) {
  const { data, error } = useQuery({
    queryKey: ['preview of a page', page, locale, text],
    queryFn: ({ signal }) => call(previewSitePage, { params: { page }, body: { text, locale } }, { signal }),
    placeholderData: keepPreviousData,
    retry: false,
    staleTime: 60_000,
  })
  return (
    <section aria-label={t`Preview`} className="card p-5 sm:p-6">
      <p className="mb-4 text-sm font-nav text-dim">{t`Preview`}</p>
      {error !== null && (
        <p role="alert" className="mb-4 text-danger">
          {errorMessage(error)}
        </p>
      )}
      {data && (
        <div
          className="page-text"
          lang={locale}
          // biome-ignore lint/security/noDangerouslySetInnerHtml: the server renders it from Markdown without HTML
          dangerouslySetInnerHTML={{ __html: data.html }}
        />
      )}
    </section>
  )
}
