import { type ComponentType, lazy } from 'react'
import { loadChunkWithRetry } from '#web/lib/chunk-loading.ts'

/**
 * A part of a public page below the fold: its HTML is there from the start, its script comes when the element `id`
 * around it comes near the screen.
 */
export function lazyHydrated(id: string, load: () => Promise<{ default: ComponentType }>) {
  return lazy(async () => {
    if (typeof window === 'undefined') return load()
    await near(id)
    return loadChunkWithRetry(load)
  })
}

/** Settles when the element is within a screen's height, or somebody uses the keyboard, which can jump anywhere. */
function near(id: string): Promise<void> {
  const element = document.getElementById(id)
  if (element === null) return Promise.resolve()
  return new Promise((resolve) => {
    const come = () => {
      observer.disconnect()
      removeEventListener('keydown', come)
      resolve()
    }
    const observer = new IntersectionObserver(([entry]) => entry?.isIntersecting && come(), {
      rootMargin: '100% 0px',
    })
    observer.observe(element)
    addEventListener('keydown', come)
  })
}
