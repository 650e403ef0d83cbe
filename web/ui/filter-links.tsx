import { type MouseEvent, type ReactNode, useEffect, useRef } from 'react'
import { Link, NavLink, useLocation } from 'react-router'
import { useSearchParams, withParam } from '#web/lib/search-params.ts'
import './filter-links.css'

type FilterProps = {
  label: string
  /** The query parameter of the filter. The option with the empty value is the default. */
  name: string
  options: readonly { value: string; label: string }[]
}

/** Renders a filter as a row of links. The selection is a query parameter; changing it resets `page`. */
export function FilterLinks({ label, name, options }: FilterProps) {
  const [search, setSearch] = useSearchParams()
  const current = search.get(name) ?? ''
  const selected = options.some((option) => option.value === current) ? current : ''
  const withFilter = (params: URLSearchParams, value: string) =>
    withParam(withParam(params, 'page', ''), name, value)
  return (
    <LinkRow label={label}>
      {options.map(({ value, label }) => (
        <Link
          key={value}
          to={`?${withFilter(search, value)}`}
          onClick={(event) => {
            if (opensElsewhere(event)) return
            event.preventDefault()
            setSearch((params) => withFilter(params, value))
          }}
          aria-current={value === selected ? 'page' : undefined}
          className={linkClass(value === selected)}
        >
          {label}
        </Link>
      ))}
    </LinkRow>
  )
}

/** Renders links between related screens. */
export function ScreenLinks({ label, screens }: { label: string; screens: { to: string; label: string }[] }) {
  return (
    <LinkRow label={label} className="mb-5">
      {screens.map((screen) => (
        <NavLink key={screen.to} to={screen.to} end className={({ isActive }) => linkClass(isActive)}>
          {screen.label}
        </NavLink>
      ))}
    </LinkRow>
  )
}

/** Renders the links, which a phone shows in one row: the current one is scrolled into view. */
function LinkRow({
  label,
  className = '',
  children,
}: {
  label: string
  className?: string
  children: ReactNode
}) {
  const row = useRef<HTMLElement>(null)
  const { pathname, search } = useLocation()
  // biome-ignore lint/correctness/useExhaustiveDependencies: the URL decides which link is the current one
  useEffect(() => {
    const current = row.current?.querySelector<HTMLElement>('[aria-current]')
    if (row.current && current)
      row.current.scrollLeft = current.offsetLeft - (row.current.clientWidth - current.offsetWidth) / 2
  }, [pathname, search])
  return (
    <nav ref={row} aria-label={label} className={`filter-links ${className}`}>
      {children}
    </nav>
  )
}

function opensElsewhere({ metaKey, ctrlKey, shiftKey, altKey }: MouseEvent): boolean {
  return metaKey || ctrlKey || shiftKey || altKey
}

function linkClass(selected: boolean): string {
  return `inline-flex min-h-11 items-center rounded-full border px-3.5 text-sm font-nav no-underline transition-colors ${
    selected ? 'border-transparent bg-soft text-on-soft' : 'border-line bg-surface text-dim hover:text-ink'
  }`
}
