import { lazy, Suspense, useSyncExternalStore } from 'react'

type Toast = { title?: string; message: string; tone?: 'good' | 'bad' }

let wanted = false
const subscribers = new Set<() => void>()

/** Says shortly, in the corner, that something is done. What the specification says in a dialog uses `say`. */
export async function toast({ title, message, tone = 'good' }: Toast): Promise<void> {
  wanted = true
  for (const notify of subscribers) notify()
  const { notifications } = await import('#web/ui/toast-host.tsx')
  notifications.show({ title, message, color: tone === 'bad' ? 'red' : 'jade' })
}

const Host = lazy(() => import('#web/ui/toast-host.tsx'))

/** Stands once, in the root. Loads with the first message. */
export function ToastHost() {
  const shown = useSyncExternalStore(
    (notify) => {
      subscribers.add(notify)
      return () => subscribers.delete(notify)
    },
    () => wanted,
    () => false,
  )
  return shown ? (
    <Suspense>
      <Host />
    </Suspense>
  ) : null
}
