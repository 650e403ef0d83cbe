import { type RefObject, useEffect, useLayoutEffect, useRef } from 'react'

/**
 * Calls `restore` when the focused element within `root` was removed, and focuses the main content when `root` itself is,
 * so that the focus does not fall to the body.
 */
export function useRestoreFocus(root: RefObject<HTMLElement | null>, restore: () => void): void {
  const focused = useRef<Element>(null)
  useEffect(() => {
    const onFocusIn = ({ target }: FocusEvent) => {
      focused.current = target instanceof Element && root.current?.contains(target) ? target : null
    }
    document.addEventListener('focusin', onFocusIn)
    return () => document.removeEventListener('focusin', onFocusIn)
  }, [root])
  useLayoutEffect(
    () => () => {
      if (root.current?.contains(document.activeElement))
        document.querySelector('main')?.focus({ preventScroll: true })
    },
    [root],
  )
  useLayoutEffect(() => {
    const isLost = document.activeElement === null || document.activeElement === document.body
    if (isLost && focused.current?.isConnected === false) restore()
  })
}
