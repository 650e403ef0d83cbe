import { t } from '@lingui/core/macro'
import { type ReactNode, useId, useState } from 'react'
import { formatNumber } from '#web/lib/format.ts'
import { PlainButton } from '#web/ui/button.tsx'
import './filter-bar.css'

type Props = {
  search: ReactNode
  /** How many filters are in use, apart from the search and the order. */
  count: number
  children: ReactNode
}

/** Renders the search of a list with its filters. On a phone the filters are behind a button that counts those in use. */
export function FilterBar({ search, count, children }: Props) {
  const [isOpen, setOpen] = useState(false)
  const id = useId()
  return (
    <search className="filter-bar">
      <div>{search}</div>
      <PlainButton
        variant="default"
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={() => setOpen(!isOpen)}
      >
        {t`Filters`}
        {count > 0 && (
          <span className="rounded-full bg-fill px-1.5 py-px text-xs font-number text-white">
            <span aria-hidden>{formatNumber(count)}</span>
            <span className="sr-only">{t`${{ count: formatNumber(count) }} in use`}</span>
          </span>
        )}
      </PlainButton>
      <div id={id} className="filter-bar-rest" data-closed={isOpen ? undefined : ''}>
        {children}
      </div>
    </search>
  )
}
