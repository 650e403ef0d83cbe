import { useSyncExternalStore } from 'react'

const WIDE_REM = 64

/**
 * Returns whether the window has room for a table: 64 rem (1024 px with text of the usual size). Text that was enlarged
 * counts as a narrow window, which a media query does not notice when only the page's font size was changed.
 */
export function useIsWide(): boolean {
  return useSyncExternalStore(subscribe, isWide, () => true)
}

function subscribe(onChange: () => void): () => void {
  // A larger font changes the height of the page, and no other event is sent for it.
  const observer = new ResizeObserver(onChange)
  observer.observe(document.documentElement)
  window.addEventListener('resize', onChange)
  return () => {
    observer.disconnect()
    window.removeEventListener('resize', onChange)
  }
}

function isWide(): boolean {
  const fontSize = Number.parseFloat(getComputedStyle(document.documentElement).fontSize)
  return window.innerWidth >= WIDE_REM * (fontSize || 16)
}
