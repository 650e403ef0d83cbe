import { type ReactNode, useEffect, useRef } from 'react'
import { useLocation } from 'react-router'

/**
 * Renders the page's main landmark. It takes the focus after a navigation, so that keyboard and screen reader users
 * continue there.
 */
export function MainContent({ children, className = '' }: { children: ReactNode; className?: string }) {
  const { pathname } = useLocation()
  const element = useRef<HTMLElement>(null)
  const lastPathname = useRef(pathname)
  useEffect(() => {
    if (lastPathname.current === pathname) return
    lastPathname.current = pathname
    // A dialog that opened with the navigation keeps the focus.
    if (document.activeElement?.matches('[data-autofocus]')) return
    element.current?.focus({ preventScroll: true })
  }, [pathname])
  return (
    <main id="content" ref={element} tabIndex={-1} className={`outline-none ${className}`}>
      {children}
    </main>
  )
}
