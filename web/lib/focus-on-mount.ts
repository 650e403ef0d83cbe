import { type RefObject, useEffect, useRef } from 'react'

/** Returns a ref for an input that gets the focus when it appears. */
export function useFocusOnMount(): RefObject<HTMLInputElement | null> {
  const input = useRef<HTMLInputElement>(null)
  useEffect(() => input.current?.focus(), [])
  return input
}
