import { t } from '@lingui/core/macro'
import { useEffect, useRef, useState } from 'react'
import { formatNumber } from '#web/lib/format.ts'
import { recoverFocus } from '#web/lib/recover-focus.ts'
import { PlainButton } from '#web/ui/button.tsx'

/** How often a page is requested again whose request a live event cancelled. */
const ATTEMPTS = 5

type PagedResult = {
  data?: { pages: { reply: unknown; total: number | null }[] } | undefined
  hasNextPage: boolean
  isError: boolean
}
type Props = {
  /** The result of `useInfiniteQuery` or `useSuspenseInfiniteQuery`. */
  query: PagedResult & { isFetchNextPageError: boolean; fetchNextPage: () => Promise<PagedResult> }
}

/** Renders the number of loaded rows below a list, and a button that loads the next page. */
export function LoadMore({ query }: Props) {
  const { data, hasNextPage, isFetchNextPageError, fetchNextPage } = query
  const pages = data?.pages ?? []
  const loaded = pages.reduce((sum, page) => sum + (Array.isArray(page.reply) ? page.reply.length : 0), 0)
  const total = pages[0]?.total ?? null
  const [wantedPages, setWantedPages] = useState(0)
  const isLoading = wantedPages > 0

  // In an effect, and not when the button is pressed: the query follows a changed filter in an effect too, and before it
  // the next page would be one of the list before.
  useEffect(() => {
    if (wantedPages > 0) void loadPages(fetchNextPage, wantedPages).finally(() => setWantedPages(0))
  }, [wantedPages, fetchNextPage])

  // The button is disabled while a page loads, and removed when the last one is there, which is a little later.
  const button = useRef<HTMLButtonElement>(null)
  const text = useRef<HTMLParagraphElement>(null)
  const wasPressed = useRef(false)
  // biome-ignore lint/correctness/useExhaustiveDependencies: `hasNextPage` decides whether there is a button
  useEffect(() => {
    if (wasPressed.current && !isLoading) recoverFocus(button.current ?? text.current)
  }, [isLoading, hasNextPage])

  if (!hasNextPage && pages.length < 2) return null
  return (
    <div className="mt-6 flex flex-col items-center gap-3">
      <p ref={text} tabIndex={-1} className="text-sm text-dim outline-none" aria-live="polite">
        {isFetchNextPageError && !isLoading
          ? t`Could not load the next page. Try again.`
          : shownText(loaded, total)}
      </p>
      {hasNextPage && (
        <PlainButton
          ref={button}
          variant="default"
          busy={isLoading}
          onClick={() => {
            wasPressed.current = true
            setWantedPages(pages.length + 1)
          }}
        >
          {t`Load more`}
        </PlainButton>
      )}
    </div>
  )
}

/** Requests the next page until it is there: a live event that refetches the list cancels the request. */
async function loadPages(fetchNextPage: () => Promise<PagedResult>, wanted: number): Promise<void> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const { data, hasNextPage, isError } = await fetchNextPage()
    if (isError || !hasNextPage || (data?.pages.length ?? 0) >= wanted) return
  }
}

function shownText(loaded: number, total: number | null): string {
  const count = formatNumber(loaded)
  return total === null ? t`Showing ${count}` : t`Showing ${count} of ${{ total: formatNumber(total) }}`
}
