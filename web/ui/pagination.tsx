import { Button } from '@mantine/core'
import { useSearchParams } from 'react-router'
import { IconChevronLeft, IconChevronRight } from '#web/ui/icons.ts'

/** The page in the address, zero-based as the API counts: `?page=1` is the second. */
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

/** Previous and next for lists that have numbered pages. */
export function Pager({ index, pages, go }: { index: number; pages: number; go: (index: number) => void }) {
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
