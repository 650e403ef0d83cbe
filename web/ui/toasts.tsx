import { showMessage } from '#web/ui/dialogs.tsx'
import { lazyHost } from '#web/ui/lazy-host.tsx'

type Toast = {
  title?: string
  message: string
  /** A second sentence, on a line of its own. */
  detail?: string
  tone?: 'success' | 'error'
  /** Replaces the toast of the same group. */
  group?: string
}

const latestOfGroup = new Map<string, string>()

const load = () => import('#web/ui/toast-host.tsx')
const host = lazyHost(load)
export const { Host: ToastHost, prefetch: prefetchToasts } = host

/**
 * Shows a short message in the corner, or a dialog when the toast component cannot be loaded. Messages prescribed as
 * dialogs (docs/specification/screens.md) use `showMessage`.
 */
export async function toast({ title, message, detail, tone = 'success', group }: Toast): Promise<void> {
  const text = detail ? (
    <>
      <p>{message}</p>
      <p>{detail}</p>
    </>
  ) : (
    message
  )
  try {
    const { notifications } = await host.open()
    const previous = group && latestOfGroup.get(group)
    if (previous) notifications.hide(previous)
    const id = notifications.show({ title, message: text, color: tone === 'error' ? 'red' : 'jade' })
    if (group) latestOfGroup.set(group, id)
  } catch {
    await showMessage({ title: title ?? message, text: title === undefined ? undefined : text, tone })
  }
}
