import { t } from '@lingui/core/macro'
import './page-text.css'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { PAGE_TEXT_PLACEHOLDER, type SitePageName, sitePage } from '#contract/site-pages.ts'
import { errorMessage } from '#web/lib/api.ts'
import { queryOf } from '#web/lib/queries.ts'
import { ErrorState } from '#web/ui/error-state.tsx'
import { ListSkeleton } from '#web/ui/skeleton.tsx'

/**
 * Renders a public page with the operator's text. The server puts the current text into the prerendered page; after a
 * navigation it is fetched.
 */
export function SitePage({ page, title }: { page: SitePageName; title: string }) {
  const id = `text-of-${page}`
  const [served] = useState(() =>
    typeof document === 'undefined'
      ? PAGE_TEXT_PLACEHOLDER
      : (document.getElementById(id)?.innerHTML ?? null),
  )
  const query = useQuery({
    ...queryOf(sitePage, { params: { page } }),
    enabled: served === null || served === PAGE_TEXT_PLACEHOLDER,
  })
  const html = query.data?.html ?? (query.error === null ? served : null)
  return (
    <div className="page max-w-3xl py-10 lg:py-14">
      <h1 className="mb-6 text-title">{title}</h1>
      {html !== null ? (
        <article
          id={id}
          className="page-text"
          suppressHydrationWarning
          // biome-ignore lint/security/noDangerouslySetInnerHtml: the server renders it from Markdown without HTML
          dangerouslySetInnerHTML={{ __html: html }}
        />
      ) : query.error !== null ? (
        <ErrorState
          title={t`The page could not be loaded`}
          message={errorMessage(query.error)}
          retry={() => void query.refetch()}
        />
      ) : (
        <ListSkeleton />
      )}
    </div>
  )
}
