import { useEffect, useRef, useState } from 'react'
import { useSearchParams } from 'react-router'
import { IconSearch } from '#web/ui/icons.ts'

/** Typing has paused when nothing was typed for so long. */
const PAUSE_MS = 250

/**
 * Typing searches when it pauses, and follows the address when that changes by itself (back, clear). Made of styles
 * alone (see ui/button.tsx).
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
  const sent = useRef(value)
  const pause = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => {
    if (value !== sent.current) setTyped(value)
    sent.current = value
  }, [value])
  useEffect(() => () => clearTimeout(pause.current), [])
  const settle = (text: string) => {
    clearTimeout(pause.current)
    if (text === sent.current) return
    sent.current = text
    onChange(text)
  }
  return (
    <span className="relative col-span-2 block sm:col-span-1">
      <IconSearch
        size={18}
        className="pointer-events-none absolute inset-y-0 left-3 my-auto text-dim"
        aria-hidden
      />
      <input
        type="search"
        className="field pl-10"
        aria-label={label}
        placeholder={label}
        maxLength={200}
        value={typed}
        onChange={(event) => {
          const text = event.currentTarget.value
          setTyped(text)
          clearTimeout(pause.current)
          pause.current = setTimeout(() => settle(text.trim()), PAUSE_MS)
        }}
        // Whoever goes on to click a result must not be called back by a search that comes late.
        onBlur={() => settle(typed.trim())}
      />
    </span>
  )
}

/** What is searched for, in the address as `q`. */
export function useSearchParam(): [words: string, find: (words: string) => void] {
  const [search, setSearch] = useSearchParams()
  const find = (words: string) =>
    setSearch(
      (now) => {
        const params = new URLSearchParams(now)
        if (words === '') params.delete('q')
        else params.set('q', words)
        return params
      },
      { replace: true, preventScrollReset: true },
    )
  return [(search.get('q') ?? '').slice(0, 200), find]
}
