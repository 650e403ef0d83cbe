import { useCallback, useLayoutEffect, useRef } from 'react'

/**
 * Returns a function that returns whether the component is still on the page. After a request it says whether the user has left the
 * screen meanwhile, from where a navigation would take them away.
 */
export function useIsShown(): () => boolean {
  const isShown = useRef(true)
  useLayoutEffect(() => {
    isShown.current = true
    return () => {
      isShown.current = false
    }
  }, [])
  return useCallback(() => isShown.current, [])
}
