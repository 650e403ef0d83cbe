import { useEffect, useLayoutEffect, useRef, useState } from 'react'
import { useLocation, useNavigation } from 'react-router'
import { useSearchParams, withParam } from '#web/lib/search-params.ts'
import { IconSearch } from '#web/ui/icons.ts'

const DEBOUNCE_MS = 250

/**
 * Renders a search field with CSS only (see web/ui/button.tsx). `onChange` is debounced, and called at once for Enter and
 * Tab; a new `value` replaces the typed text (back button, clear).
 */
export function SearchInput({
  value,
  onChange,
  label,
}: {
  value: string
  onChange: (value: string) => void
  label: string
}) {
  const [typed, setTyped] = useState(value)
  const input = useRef<HTMLInputElement>(null)
  const submitted = useRef(value)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => {
    if (value !== submitted.current) setTyped(value)
    submitted.current = value
  }, [value])
  useEffect(() => () => clearTimeout(timer.current), [])
  // A search that starts while another screen loads would cancel that navigation.
  const { pathname } = useLocation()
  const { location: nextLocation } = useNavigation()
  const isLeaving = nextLocation !== undefined && nextLocation.pathname !== pathname
  useEffect(() => {
    if (isLeaving) clearTimeout(timer.current)
  }, [isLeaving])
  const submit = (text: string) => {
    clearTimeout(timer.current)
    if (text === submitted.current) return
    submitted.current = text
    onChange(text)
  }
  const change = (text: string) => {
    setTyped(text)
    clearTimeout(timer.current)
    timer.current = setTimeout(() => submit(text.trim()), DEBOUNCE_MS)
  }
  // Hydration leaves in the field what was typed before it; the next render would reset it.
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, after hydration
  useLayoutEffect(() => {
    const text = input.current?.value ?? ''
    if (text !== '' && text !== value) change(text)
  }, [])
  return (
    <span className="relative col-span-2 block sm:col-span-1">
      <IconSearch
        size={18}
        className="pointer-events-none absolute inset-y-0 left-3 my-auto text-dim"
        aria-hidden
      />
      <input
        ref={input}
        type="search"
        className="field pl-10"
        aria-label={label}
        placeholder={label}
        maxLength={200}
        value={typed}
        onChange={(event) => change(event.currentTarget.value)}
        // A user who leaves by Tab may open a result within the pause. On a slow device, isLeaving comes too late for that.
        onKeyDown={({ key, currentTarget }) => {
          if (key === 'Enter' || key === 'Tab') submit(currentTarget.value.trim())
        }}
      />
    </span>
  )
}

/** Returns the search text from the URL's parameter `q`, and its setter. */
export function useSearchQuery(): [query: string, setQuery: (query: string) => void] {
  const [search, setSearch] = useSearchParams()
  const setQuery = (query: string) =>
    setSearch((current) => withParam(current, 'q', query), { replace: true, preventScrollReset: true })
  return [(search.get('q') ?? '').slice(0, 200), setQuery]
}
