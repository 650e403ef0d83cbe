import { type RefObject, useEffect, useLayoutEffect, useRef } from 'react'

/** What gets the focus for an element that had it and was removed with its row. */
const successors = new WeakMap<Element, HTMLElement>()

/**
 * Moves the focus to `near`, or to the page's main content where that cannot take it, when the element that had it was
 * removed or disabled. Otherwise keyboard and screen reader users would start again at the top of the page. From the main content,
 * where a dialog that closed may have left it, it moves to `near` too.
 */
export function recoverFocus(near?: HTMLElement | null): void {
  const content = document.getElementById('content')
  const successor = near?.isConnected === false ? successors.get(near) : near
  for (const target of [successor, content]) {
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

/**
 * Keeps the focus in a list when the row that had it is removed: it goes to the first link or button of the row that takes its place,
 * also when a dialog is open meanwhile and closes later. Returns the ref for the element whose children are the rows.
 */
export function useRowFocus<E extends HTMLElement>(): RefObject<E | null> {
  const list = useRef<E>(null)
  const last = useRef<{ element: HTMLElement; index: number }>(null)
  useEffect(() => {
    const rows = list.current
    const remember = ({ target }: FocusEvent) => {
      const element = target as HTMLElement
      last.current = {
        element,
        index: Array.from(rows?.children ?? []).findIndex((row) => row.contains(element)),
      }
    }
    rows?.addEventListener('focusin', remember)
    return () => rows?.removeEventListener('focusin', remember)
  }, [])
  useLayoutEffect(() => {
    if (last.current === null || last.current.element.isConnected) return
    const { element, index } = last.current
    const rows = Array.from(list.current?.children ?? [])
    const control = (rows[index] ?? rows.at(-1))?.querySelector<HTMLElement>('a, button')
    last.current = null
    if (!control) return
    successors.set(element, control)
    recoverFocus(control)
  })
  return list
}
