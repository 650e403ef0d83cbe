import { type ComponentType, useSyncExternalStore } from 'react'
import { loadChunk } from '#web/lib/chunk-loading.ts'
import { showMessage } from '#web/ui/dialogs.tsx'

type Toast = { title?: string; message: string; tone?: 'success' | 'error' }

let Host: ComponentType | null = null
const subscribers = new Set<() => void>()

const load = () => import('#web/ui/toast-host.tsx')

/**
 * Shows a short message in the corner. Messages prescribed as dialogs (docs/specification/screens.md) use `showMessage`.
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

/** Fetches the looks of messages before there is one. */
export function prefetchToasts(): void {
  void loadChunk(load).catch(() => {})
}

/** Stands once, in the root. Loads with the first message. */
export function ToastHost() {
  const Shown = useSyncExternalStore(
    (notify) => {
      subscribers.add(notify)
      return () => subscribers.delete(notify)
    },
    () => Host,
    () => null,
  )
  return Shown && <Shown />
}
