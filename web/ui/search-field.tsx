import { TextInput } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { useEffect, useRef, useState } from 'react'
import { useSearchParams } from 'react-router'
import { IconSearch } from '#web/ui/icons.ts'

/** Typing searches when it pauses, and follows the address when that changes by itself (back, clear). */
export function SearchField({
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
  useEffect(() => {
    if (value !== sent.current) setTyped(value)
    sent.current = value
  }, [value])
  const settle = useDebouncedCallback((text: string) => {
    sent.current = text
    onChange(text)
  }, 250)
  return (
    <TextInput
      className="col-span-2 sm:col-span-1"
      type="search"
      aria-label={label}
      placeholder={label}
      leftSection={<IconSearch size={18} aria-hidden />}
      maxLength={200}
      value={typed}
      onChange={(event) => {
        setTyped(event.currentTarget.value)
        settle(event.currentTarget.value.trim())
      }}
      // Whoever goes on to click a result must not be called back by a search that comes late.
      onBlur={settle.flush}
    />
  )
}

/** What is searched for, in the address as `q`. */
export function useSearchWords(): [words: string, find: (words: string) => void] {
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
