import { Button } from '@mantine/core'
import { useSearchParams } from 'react-router'
import { IconChevronLeft, IconChevronRight } from '#web/ui/icons.ts'

/** Returns the zero-based page index from the URL, as in the API (`?page=1` is the second page), and its setter. */
export function usePageIndex(): [index: number, go: (index: number) => void] {
  const [search, setSearch] = useSearchParams()
  const page = Number(search.get('page') ?? '0')
  const index = Number.isSafeInteger(page) && page > 0 ? page : 0
  const go = (next: number) =>
    setSearch((now) => {
      const params = new URLSearchParams(now)
      if (next === 0) params.delete('page')
      else params.set('page', String(next))
      return params
    })
  return [index, go]
}

/** Renders previous and next buttons for a list with numbered pages. */
export function Pagination({
  index,
  pages,
  go,
}: {
  index: number
  pages: number
  go: (index: number) => void
}) {
  if (pages <= 1) return null
  return (
    <nav aria-label="Pages" className="mt-6 flex items-center justify-center gap-4">
      <Button
        variant="default"
        leftSection={<IconChevronLeft size={18} />}
        disabled={index === 0}
        onClick={() => go(index - 1)}
      >
        Previous
      </Button>
      <span className="text-sm text-dim tabular-nums" aria-live="polite">
        Page {index + 1} of {pages}
      </span>
      <Button
        variant="default"
        rightSection={<IconChevronRight size={18} />}
        disabled={index >= pages - 1}
        onClick={() => go(index + 1)}
      >
        Next
      </Button>
    </nav>
  )
}
