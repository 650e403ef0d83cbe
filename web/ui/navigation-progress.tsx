import { t } from '@lingui/core/macro'
import { useContext, useEffect, useSyncExternalStore } from 'react'
import { UNSAFE_DataRouterContext, useNavigate, useNavigation } from 'react-router'
import { splitLocale } from '#contract/locales.ts'

const PENDING_KEY = 'going-to'
/** An older pending navigation is not resumed. */
const PENDING_MS_MAX = 60_000

/**
 * Renders a progress bar during a navigation and a notice while offline. When a route's code cannot be loaded, React
 * Router reloads the page. After a deployment that is right, and the navigation resumes after the reload. While offline
 * the reload would show the browser's error page, so it is postponed until the network is back.
 */
export function NavigationProgress() {
  const { state } = useNavigation()
  const navigate = useNavigate()
  const router = useContext(UNSAFE_DataRouterContext)?.router

  useEffect(() => {
    const resumed = takePending()
    if (resumed !== null) void navigate(resumed)
    // Read from the router, because the page can be reloaded before React renders the navigation. Its paths are whole URLs' paths.
    const destination = () => {
      const next = router?.state.navigation.location
      return next ? splitLocale(next.pathname).path + next.search + next.hash : null
    }
    const savePending = () => {
      const to = destination()
      // A navigation that failed again after a reload is not resumed, to avoid a reload loop.
      if (to === null || to === resumed) return
      sessionStorage.setItem(PENDING_KEY, JSON.stringify({ to, at: Date.now() }))
    }
    const onNavigate = (event: Event) => {
      const { navigationType, userInitiated } = event as Event & Record<string, unknown>
      if (navigationType !== 'reload' || userInitiated || navigator.onLine || !event.cancelable) return
      event.preventDefault()
      addEventListener('online', () => destination() !== null && location.reload(), { once: true })
    }
    const { navigation } = window as { navigation?: EventTarget }
    addEventListener('pagehide', savePending)
    navigation?.addEventListener('navigate', onNavigate)
    return () => {
      removeEventListener('pagehide', savePending)
      navigation?.removeEventListener('navigate', onNavigate)
    }
  }, [navigate, router])

  const loading = state === 'loading'
  const offline = useSyncExternalStore(
    subscribeToNetwork,
    () => !navigator.onLine,
    () => false,
  )
  return (
    <>
      {loading && <div role="progressbar" aria-label={t`Loading page`} className="navigation-progress" />}
      <div
        role="status"
        className="pointer-events-none fixed inset-x-0 bottom-4 z-40 grid justify-items-center px-4"
      >
        {offline && (
          <p className="rounded-full bg-ink px-4 py-2 text-sm font-nav text-body shadow-lift">
            {loading
              ? t`You are offline. The page will open when you are back online.`
              : t`You are offline. Some information may be out of date.`}
          </p>
        )}
      </div>
    </>
  )
}

function subscribeToNetwork(notify: () => void): () => void {
  addEventListener('online', notify)
  addEventListener('offline', notify)
  return () => {
    removeEventListener('online', notify)
    removeEventListener('offline', notify)
  }
}

/** Returns and removes the pending navigation. Only a reload resumes it; otherwise the user has navigated since. */
function takePending(): string | null {
  try {
    const pending = JSON.parse(sessionStorage.getItem(PENDING_KEY) ?? 'null') as {
      to: string
      at: number
    } | null
    sessionStorage.removeItem(PENDING_KEY)
    const [entry] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[]
    if (entry?.type !== 'reload') return null
    return pending !== null && Date.now() - pending.at < PENDING_MS_MAX ? pending.to : null
  } catch {
    return null
  }
}
