import { type ComponentType, lazy } from 'react'
import { loadChunkWithRetry } from '#web/lib/chunk-loading.ts'

/**
 * Returns a component of a public page below the fold whose HTML is prerendered. Its code is loaded, and the component
 * hydrated, when the element with the given `id` comes near the viewport.
 */
export function lazyHydrate(id: string, load: () => Promise<{ default: ComponentType }>) {
  return lazy(async () => {
    if (typeof window === 'undefined') return load()
    await whenNearViewport(id)
    return loadChunkWithRetry(load)
  })
}

/** Resolves when the element is within one viewport height, or on a key press, because the keyboard can jump to it. */
function whenNearViewport(id: string): Promise<void> {
  const element = document.getElementById(id)
  if (element === null) return Promise.resolve()
  return new Promise((resolve) => {
    const finish = () => {
      observer.disconnect()
      removeEventListener('keydown', finish)
      resolve()
    }
    const observer = new IntersectionObserver(([entry]) => entry?.isIntersecting && finish(), {
      rootMargin: '100% 0px',
    })
    observer.observe(element)
    addEventListener('keydown', finish)
  })
}
