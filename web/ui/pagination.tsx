import { t } from '@lingui/core/macro'
import { Button } from '@mantine/core'
import { formatNumber } from '#web/lib/format.ts'
import { useSearchParams, withParam } from '#web/lib/search-params.ts'
import { IconChevronLeft, IconChevronRight } from '#web/ui/icons.ts'

/** Returns the zero-based page index from the URL, as in the API (`?page=1` is the second page), and its setter. */
export function usePageIndex(): [index: number, setIndex: (index: number) => void] {
  const [search, setSearch] = useSearchParams()
  const page = Number(search.get('page') ?? '0')
  const index = Number.isSafeInteger(page) && page > 0 ? page : 0
  const setIndex = (next: number) =>
    setSearch((current) => withParam(current, 'page', next === 0 ? '' : String(next)))
  return [index, setIndex]
}

/** Renders previous and next buttons for a list with numbered pageCount. */
export function Pagination({
  index,
  pageCount,
  setIndex,
}: {
  index: number
  pageCount: number
  setIndex: (index: number) => void
}) {
  if (pageCount <= 1) return null
  return (
    <nav aria-label={t`Pages`} className="mt-6 flex flex-wrap items-center justify-center gap-x-4 gap-y-2">
      <Button
        variant="default"
        leftSection={<IconChevronLeft size={18} />}
        disabled={index === 0}
        onClick={() => setIndex(index - 1)}
      >
        {t`Previous`}
      </Button>
      <span className="text-sm text-dim tabular-nums" aria-live="polite">
        {t`Page ${{ page: formatNumber(index + 1) }} of ${{ pageCount: formatNumber(pageCount) }}`}
      </span>
      <Button
        variant="default"
        rightSection={<IconChevronRight size={18} />}
        disabled={index >= pageCount - 1}
        onClick={() => setIndex(index + 1)}
      >
        {t`Next`}
      </Button>
    </nav>
  )
}
