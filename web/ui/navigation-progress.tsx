import { useEffect, useRef, useSyncExternalStore } from 'react'
import { useNavigate, useNavigation } from 'react-router'

const KEPT = 'going-to'
/** Longer ago, the person has thought of something else. */
const KEPT_MS = 60_000

/**
 * A bar while a screen is on its way, and a note while the network is away. When the screen's code cannot be fetched the
 * framework loads the page anew: after a new version was installed that is right, and the way goes on from there; while
 * the network is away it would leave the person with nothing, so it waits until the network is back.
 */
export function NavigationProgress() {
  const { location: next, state } = useNavigation()
  const navigate = useNavigate()
  const going = useRef<string | null>(null)
  going.current = next ? next.pathname + next.search + next.hash : null

  useEffect(() => {
    const resumed = takeKept()
    if (resumed !== null) void navigate(resumed)
    const keep = () => {
      // What has failed after a fresh start fails again: it is not tried for ever.
      if (going.current === null || going.current === resumed) return
      sessionStorage.setItem(KEPT, JSON.stringify({ to: going.current, at: Date.now() }))
    }
    const onNavigate = (event: Event) => {
      const { navigationType, userInitiated } = event as Event & Record<string, unknown>
      if (navigationType !== 'reload' || userInitiated || navigator.onLine || !event.cancelable) return
      event.preventDefault()
      addEventListener('online', () => going.current !== null && location.reload(), { once: true })
    }
    const { navigation } = window as { navigation?: EventTarget }
    addEventListener('pagehide', keep)
    navigation?.addEventListener('navigate', onNavigate)
    return () => {
      removeEventListener('pagehide', keep)
      navigation?.removeEventListener('navigate', onNavigate)
    }
  }, [navigate])

  const loading = state === 'loading'
  const offline = useSyncExternalStore(
    onNetwork,
    () => !navigator.onLine,
    () => false,
  )
  return (
    <>
      {loading && <div role="progressbar" aria-label="Loading the next screen" className="on-the-way" />}
      <div
        role="status"
        className="pointer-events-none fixed inset-x-0 bottom-4 z-40 grid justify-items-center px-4"
      >
        {offline && (
          <p className="rounded-full bg-ink px-4 py-2 text-sm font-nav text-body shadow-lift">
            {loading
              ? 'This screen opens as soon as you are back online.'
              : 'You are offline. What you see may be old.'}
          </p>
        )}
      </div>
    </>
  )
}

function onNetwork(notify: () => void): () => void {
  addEventListener('online', notify)
  addEventListener('offline', notify)
  return () => {
    removeEventListener('online', notify)
    removeEventListener('offline', notify)
  }
}

/** Only a reload resumes a navigation. After every other way to this page, the person has chosen this page since. */
function takeKept(): string | null {
  try {
    const kept = JSON.parse(sessionStorage.getItem(KEPT) ?? 'null') as { to: string; at: number } | null
    sessionStorage.removeItem(KEPT)
    const [entry] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[]
    if (entry?.type !== 'reload') return null
    return kept !== null && Date.now() - kept.at < KEPT_MS ? kept.to : null
  } catch {
    return null
  }
}
