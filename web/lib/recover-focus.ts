import { type RefObject, useEffect, useRef } from 'react'

/**
 * Moves the focus to `near`, or to the page's main content where that cannot take it, when the element that had it was
 * removed or disabled. Otherwise keyboard and screen reader users would start again at the top of the page. From the main content,
 * where a dialog that closed may have left it, it moves to `near` too.
 */
export function recoverFocus(near?: HTMLElement | null): void {
  const content = document.getElementById('content')
  for (const target of [near, content]) {
    const { activeElement, body } = document
    if ([null, body, content].includes(activeElement as HTMLElement)) target?.focus({ preventScroll: true })
  }
}

/**
 * Recovers the focus when `shown` changes, because what had it may have been removed: a row with its button, or a form. `shown` names
 * what is there, such as the number of rows; it is undefined until they have arrived. Returns the ref for what then gets the focus.
 */
export function useFocusRecovery<E extends HTMLElement>(
  shown: string | number | boolean | undefined,
): RefObject<E | null> {
  const near = useRef<E>(null)
  const last = useRef(shown)
  useEffect(() => {
    if (last.current !== undefined && last.current !== shown) recoverFocus(near.current)
    last.current = shown
  }, [shown])
  return near
}
