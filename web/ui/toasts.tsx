import { type ComponentType, useSyncExternalStore } from 'react'
import { loadChunk } from '#web/lib/chunk-loading.ts'
import { showMessage } from '#web/ui/dialogs.tsx'

type Toast = { title?: string; message: string; tone?: 'success' | 'error' }

let Host: ComponentType | null = null
const subscribers = new Set<() => void>()

const load = () => import('#web/ui/toast-host.tsx')

/**
 * Shows a short message in the corner, or a dialog when the toast component cannot be loaded. Messages prescribed as
 * dialogs (docs/specification/screens.md) use `showMessage`.
 */
export async function toast({ title, message, tone = 'success' }: Toast): Promise<void> {
  try {
    const host = await loadChunk(load)
    Host = host.default
    for (const notify of subscribers) notify()
    host.notifications.show({ title, message, color: tone === 'error' ? 'red' : 'jade' })
  } catch {
    await showMessage({ title: title ?? message, text: title === undefined ? undefined : message, tone })
  }
}

/** Prefetches the toast component, so that toasts also appear offline. */
export function prefetchToasts(): void {
  void loadChunk(load).catch(() => {})
}

/** Renders toasts. Mounted once, in the root; the toast component loads with the first toast. */
export function ToastHost() {
  const LoadedHost = useSyncExternalStore(
    (notify) => {
      subscribers.add(notify)
      return () => subscribers.delete(notify)
    },
    () => Host,
    () => null,
  )
  return LoadedHost && <LoadedHost />
}
