import { type RefObject, useEffect, useRef } from 'react'
import { useLocation } from 'react-router'

/**
 * Returns a ref for the section with this id, which scrolls into view when the URL's fragment names it. The router only scrolls to what
 * is there when it renders the location, so this is for sections that are shown when their data has arrived. A page that has been
 * scrolled meanwhile, by the user or by Back, stays where it is.
 */
export function useScrollToFragment(id: string): RefObject<HTMLElement | null> {
  const section = useRef<HTMLElement>(null)
  const { hash } = useLocation()
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when the section is rendered
  useEffect(() => {
    const element = section.current
    if (element === null || hash !== `#${id}`) return
    // Rendered is not yet shown: it may wait for the sections above it.
    const observer = new ResizeObserver(() => {
      observer.disconnect()
      if (scrollY === 0) element.scrollIntoView()
    })
    observer.observe(element)
    return () => observer.disconnect()
  }, [])
  return section
}
