import { type ComponentType, useSyncExternalStore } from 'react'
import { loadChunk } from '#web/lib/chunk-loading.ts'
import { say } from '#web/ui/dialogs.tsx'

type Toast = { title?: string; message: string; tone?: 'good' | 'bad' }

let Host: ComponentType | null = null
const subscribers = new Set<() => void>()

const load = () => import('#web/ui/toast-host.tsx')

/**
 * Shows a short message in the corner. Messages prescribed as dialogs (docs/specification/screens.md) use `say`.
 */
export async function toast({ title, message, tone = 'good' }: Toast): Promise<void> {
  try {
    const host = await loadChunk(load)
    Host = host.default
    for (const notify of subscribers) notify()
    host.notifications.show({ title, message, color: tone === 'bad' ? 'red' : 'jade' })
  } catch {
    await say({ title: title ?? message, text: title === undefined ? undefined : message, tone })
  }
}

/** Fetches the looks of messages before there is one. */
export function fetchToasts(): void {
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
