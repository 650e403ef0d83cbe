import type { QueryClient } from '@tanstack/react-query'
import { pagePath } from '#web/lib/locale.ts'

/**
 * Registers the service worker, and has it keep the scripts and styles that this page has loaded before it ran
 * (docs/decisions/0074-offline.md). Its files are loaded after the data of the screen. Without one, such as in development, the app
 * works online only.
 */
export async function registerServiceWorker(queryClient: QueryClient): Promise<void> {
  if (!('serviceWorker' in navigator)) return
  if (document.readyState !== 'complete')
    await new Promise((resolve) => addEventListener('load', resolve, { once: true }))
  await nothingIsFetched(queryClient)
  try {
    await navigator.serviceWorker.register(pagePath('/service-worker.js'))
  } catch {
    return
  }
  const { active } = await navigator.serviceWorker.ready
  if (navigator.serviceWorker.controller === null) active?.postMessage({ type: 'CLAIM' })
  const urlsToCache = performance
    .getEntriesByType('resource')
    .map(({ name }) => name)
    .filter((url) => url.startsWith(`${location.origin}/assets/`))
  active?.postMessage({ type: 'CACHE_URLS', payload: { urlsToCache } })
}

/** Resolves when no query is in flight. */
function nothingIsFetched(queryClient: QueryClient): Promise<void> {
  if (queryClient.isFetching() === 0) return Promise.resolve()
  return new Promise((resolve) => {
    const unsubscribe = queryClient.getQueryCache().subscribe(() => {
      if (queryClient.isFetching() > 0) return
      unsubscribe()
      resolve()
    })
  })
}
