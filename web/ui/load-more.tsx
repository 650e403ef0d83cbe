import { t } from '@lingui/core/macro'
import { formatNumber } from '#web/lib/format.ts'
import { PlainButton } from '#web/ui/button.tsx'

type Props = {
  /** The result of `useInfiniteQuery` or `useSuspenseInfiniteQuery`. */
  query: {
    data?: { pages: { reply: unknown; total: number | null }[] } | undefined
    hasNextPage: boolean
    isFetchingNextPage: boolean
    isFetchNextPageError: boolean
    fetchNextPage: () => Promise<unknown>
  }
}

/** Renders the number of loaded rows below a list, and a button that loads the next page. */
export function LoadMore({ query }: Props) {
  const pages = query.data?.pages ?? []
  const loaded = pages.reduce((sum, page) => sum + (Array.isArray(page.reply) ? page.reply.length : 0), 0)
  const total = pages[0]?.total ?? null
  if (!query.hasNextPage && pages.length < 2) return null
  return (
    <div className="mt-6 flex flex-col items-center gap-3">
      <p className="text-sm text-dim" aria-live="polite">
        {query.isFetchNextPageError ? t`Could not load the next page. Try again.` : shownText(loaded, total)}
      </p>
      {query.hasNextPage && (
        <PlainButton
          variant="default"
          busy={query.isFetchingNextPage}
          onClick={() => void query.fetchNextPage()}
        >
          {t`Load more`}
        </PlainButton>
      )}
    </div>
  )
}

function shownText(loaded: number, total: number | null): string {
  const count = formatNumber(loaded)
  return total === null ? t`Showing ${count}` : t`Showing ${count} of ${{ total: formatNumber(total) }}`
}
