import { showMessage } from '#web/ui/dialogs.tsx'
import { lazyHost } from '#web/ui/lazy-host.tsx'

type Toast = { title?: string; message: string; tone?: 'success' | 'error' }

const load = () => import('#web/ui/toast-host.tsx')
const host = lazyHost(load)
export const { Host: ToastHost, prefetch: prefetchToasts } = host

/**
 * Shows a short message in the corner, or a dialog when the toast component cannot be loaded. Messages prescribed as
 * dialogs (docs/specification/screens.md) use `showMessage`.
 */
export async function toast({ title, message, tone = 'success' }: Toast): Promise<void> {
  try {
    const { notifications } = await host.open()
    notifications.show({ title, message, color: tone === 'error' ? 'red' : 'jade' })
  } catch {
    await showMessage({ title: title ?? message, text: title === undefined ? undefined : message, tone })
  }
}
