import { useEffect, useRef } from 'react'
import { useLocation } from 'react-router'

/** The first stop of the keyboard: past the navigation to the content. */
export function SkipLink() {
  return (
    <a
      href="#content"
      className="fixed top-2 left-2 z-50 -translate-y-20 rounded-control bg-fill px-4 py-2 font-nav text-white focus:translate-y-0"
    >
      Skip to content
    </a>
  )
}

/**
 * The page's main part. After a change of screen it takes the focus, so that the keyboard and a screen reader go on
 * from there.
 */
export function MainContent({ children, className }: { children: React.ReactNode; className?: string }) {
  const { pathname } = useLocation()
  const element = useRef<HTMLElement>(null)
  const shown = useRef(pathname)
  useEffect(() => {
    if (shown.current === pathname) return
    shown.current = pathname
    element.current?.focus({ preventScroll: true })
  }, [pathname])
  return (
    <main id="content" ref={element} tabIndex={-1} className={`outline-none ${className ?? ''}`}>
      {children}
    </main>
  )
}
